/** Protects CreatePartitions: a name given twice is refused once, errors are per topic, validateOnly changes nothing. */
import { expect, test } from 'vitest'
import { createPartitionsHandler } from '../../../src/handlers/create-partitions.js'
import {
  CreatePartitionsRequest,
  CreatePartitionsResponse,
} from '../../../src/protocol/messages/create-partitions.js'
import { FakeLifecycle, ask, noQuotas, topicsView } from './fakes.js'

const SCHEMAS = [CreatePartitionsRequest, CreatePartitionsResponse] as const
const handlerOf = (lifecycle: FakeLifecycle) =>
  createPartitionsHandler({ lifecycle, topics: topicsView(), ...noQuotas })
const wanted = (name: string) => ({ name, count: 5, assignments: null })

test.each([0, 1, 2, 3])('v%i: answers each topic once', async version => {
  const lifecycle = new FakeLifecycle()
  const topics = ['a', 'unknown', 'b', 'a'].map(wanted)
  const request = { topics, timeoutMs: 1000, validateOnly: false }
  const answer = await ask(SCHEMAS, handlerOf(lifecycle), version, request)
  expect(answer.results.map(({ name, errorCode }) => [name, errorCode])).toEqual([
    ['a', 42],
    ['unknown', 3],
    ['b', 0],
  ])
  expect(lifecycle.grown).toEqual(['b 5'])
})

test('validateOnly changes nothing', async () => {
  const lifecycle = new FakeLifecycle()
  const request = { topics: [wanted('a')], timeoutMs: 1000, validateOnly: true }
  const answer = await ask(SCHEMAS, handlerOf(lifecycle), 3, request)
  expect(answer.results).toMatchObject([{ name: 'a', errorCode: 0, errorMessage: null }])
  expect(lifecycle.grown).toEqual([])
})
