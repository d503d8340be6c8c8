/** Protects DescribeLogDirs: logs under their dirs, the filter, dirs that failed, and what each version can tell. */
import { expect, test } from 'vitest'
import { describeLogDirsHandler } from '../../../src/handlers/describe-log-dirs.js'
import type { LogDirsView } from '../../../src/handlers/log-dirs-services.js'
import {
  DescribeLogDirsRequest,
  DescribeLogDirsResponse,
} from '../../../src/protocol/messages/describe-log-dirs.js'
import { ask } from './fakes.js'

const SCHEMAS = [DescribeLogDirsRequest, DescribeLogDirsResponse] as const

const view: LogDirsView = {
  list: () => [
    { path: '/a', isOnline: true, isCordoned: false },
    { path: '/b', isOnline: true, isCordoned: true },
    { path: '/failed', isOnline: false, isCordoned: false },
    { path: '/gone', isOnline: true, isCordoned: false },
  ],
  volume: path =>
    path === '/gone'
      ? Promise.reject(new Error('no such folder'))
      : Promise.resolve({ totalBytes: 1n << 40n, usableBytes: 5n }),
  logs: () => [
    { topic: 't', partition: 0, logDir: '/a', sizeBytes: 2 ** 40 },
    { topic: 't', partition: 1, logDir: '/b', sizeBytes: 0 },
    { topic: 'u', partition: 0, logDir: '/a', sizeBytes: 3 },
    { topic: 't', partition: 2, logDir: '/a', sizeBytes: 4 },
  ],
}

function placesIn(answer: DescribeLogDirsResponse) {
  return answer.results.map(({ errorCode, logDir, topics }) => [
    logDir,
    errorCode,
    topics.flatMap(({ name, partitions }) => partitions.map(p => `${name}-${p.partitionIndex}`)),
  ])
}

test.each([1, 2, 3, 4, 5])('v%i: all logs, each in its dir', async version => {
  const answer = await ask(SCHEMAS, describeLogDirsHandler(view), version, { topics: null })
  expect(placesIn(answer)).toEqual([
    ['/a', 0, ['t-0', 't-2', 'u-0']],
    ['/b', 0, ['t-1']],
    ['/failed', 56, []],
    ['/gone', 56, []],
  ])
  const [first, second] = answer.results
  expect(first!.topics[0]!.partitions[0]).toEqual({
    partitionIndex: 0,
    partitionSize: 1n << 40n,
    offsetLag: 0n,
    isFutureKey: false,
  })
  expect(first!.totalBytes).toBe(version >= 4 ? 1n << 40n : -1n)
  expect(second!.isCordoned).toBe(version >= 5)
})

test('only what was asked for; unknown partitions are left out, an empty list asks for none', async () => {
  const handler = describeLogDirsHandler(view)
  const asked = [
    { topic: 't', partitions: [1] },
    { topic: 't', partitions: [2, 7] },
    { topic: 'nope', partitions: [0] },
  ]
  const some = await ask(SCHEMAS, handler, 5, { topics: asked })
  expect(placesIn(some).map(([, , names]) => names)).toEqual([['t-2'], ['t-1'], [], []])
  const none = await ask(SCHEMAS, handler, 5, { topics: [] })
  expect(placesIn(none).map(([, , names]) => names)).toEqual([[], [], [], []])
})
