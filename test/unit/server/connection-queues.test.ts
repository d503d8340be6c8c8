/** Protects the order of requests of one connection, and that connections do not wait for each other. */
import { expect, test } from 'vitest'
import { ConnectionQueues } from '../../../src/server/connection-queues.js'

interface Item {
  readonly name: string
  readonly done?: Promise<void>
}

function gate(): { promise: Promise<void>; open: () => void } {
  let open = () => {}
  const promise = new Promise<void>(resolve => (open = resolve))
  return { promise, open }
}

function recorder() {
  const started: string[] = []
  const queues = new ConnectionQueues<Item>(item => {
    started.push(item.name)
    return item.done
  })
  return { started, queues }
}

const turn = () => new Promise(resolve => setImmediate(resolve))

test('a request waits for the earlier one of its connection, not for other connections', async () => {
  const { started, queues } = recorder()
  const first = gate()
  queues.push(1n, { name: 'a1', done: first.promise })
  queues.push(1n, { name: 'a2' })
  queues.push(2n, { name: 'b1' })
  expect(started).toEqual(['a1', 'b1'])
  first.open()
  await turn()
  expect(started).toEqual(['a1', 'b1', 'a2'])
  expect(queues.busyConnections).toBe(0)
})

test('what waits for a lost connection is never run', async () => {
  const { started, queues } = recorder()
  const first = gate()
  queues.push(1n, { name: 'a1', done: first.promise })
  queues.push(1n, { name: 'a2' })
  queues.forget(1n)
  first.open()
  await turn()
  expect(started).toEqual(['a1'])
})

test('a long row of requests of one connection lets the event loop turn in between', async () => {
  const { started, queues } = recorder()
  const first = gate()
  queues.push(1n, { name: '0', done: first.promise })
  for (let index = 1; index < 200; index++) queues.push(1n, { name: String(index) })
  first.open()
  await first.promise
  await Promise.resolve()
  const afterOneTurn = started.length
  expect(afterOneTurn).toBeLessThan(200)
  while (queues.busyConnections > 0) await turn()
  expect(started).toEqual(Array.from({ length: 200 }, (_, index) => String(index)))
})
