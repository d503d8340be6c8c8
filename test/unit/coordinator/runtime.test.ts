/** The coordinator runtime: what is answered is durable, what fails changes nothing, what was appended is loaded again. */
import { describe, expect, test } from 'vitest'
import { BrokerError } from '../../../src/base/errors.js'
import { CoordinatorRuntime } from '../../../src/coordinator/runtime/coordinator-runtime.js'
import type { RecordSerde, ReplicatedState } from '../../../src/coordinator/runtime/operation.js'
import type { Timers } from '../../../src/coordinator/runtime/timers.js'
import { RecordBatchBuilder } from '../../../src/records/record-batch-builder.js'
import { endTxnMarker } from '../../../src/records/control-record.js'
import { MemoryLog } from './memory-log.js'
import { SimulatedTime, settle } from './simulated-time.js'

/** Words in the order in which they came. */
class Words implements ReplicatedState<string> {
  readonly words: string[] = []
  readonly ended: string[] = []
  isUnloaded = false
  readonly timers: Timers<string>
  constructor(timers: Timers<string>) {
    this.timers = timers
  }
  replay(word: string): void {
    this.words.push(word)
  }
  endTransaction(producerId: bigint, committed: boolean): void {
    this.ended.push(`${producerId} ${committed}`)
  }
  loaded() {
    return { records: [], response: undefined }
  }
  unloaded(): void {
    this.isUnloaded = true
  }
}

const serde: RecordSerde<string> = {
  serialize: word => ({ key: Buffer.from(word), value: null }),
  deserialize: key => (key.toString() === 'unknown' ? undefined : key.toString()),
}

function start(log = new MemoryLog()) {
  const time = new SimulatedTime()
  const problems: string[] = []
  const states: Words[] = []
  const runtime = new CoordinatorRuntime<string, Words>({
    log,
    serde,
    clock: time,
    scheduler: time,
    loadBufferBytes: 1000,
    createState(timers) {
      const state = new Words(timers)
      states.push(state)
      return state
    },
    pause: settle,
    onProblem: message => problems.push(message),
  })
  return { log, time, problems, runtime, states }
}
const say = (word: string) => () => ({ records: [word], response: word })

describe('writing', () => {
  test('the state changes with the append, the answer waits for the disk', async () => {
    const { runtime, log, states } = start()
    await runtime.open(0)
    log.isDiskHeld = true
    let answer: string | undefined
    const writing = runtime.write(0, say('a')).then(word => (answer = word))
    await settle()
    expect(states[0]!.words).toEqual(['a'])
    expect(answer).toBeUndefined()
    log.releaseDisk()
    await writing
    expect(answer).toBe('a')
  })

  test('a read waits for what it may have seen', async () => {
    const { runtime, log } = start()
    await runtime.open(0)
    log.isDiskHeld = true
    const writing = runtime.write(0, say('a'))
    let seen: string[] | undefined
    const reading = runtime.read(0, state => [...state.words]).then(words => (seen = words))
    await settle()
    expect(seen).toBeUndefined()
    log.releaseDisk()
    await Promise.all([writing, reading])
    expect(seen).toEqual(['a'])
  })

  test('a failed append changes nothing and the next one works', async () => {
    const { runtime, log, states } = start()
    await runtime.open(0)
    log.failWith = 'ERR_STORAGE'
    const outcomes: (string | null)[] = []
    const failing = runtime.write(0, () => ({
      records: ['a'],
      response: 'a',
      settled: error => outcomes.push(error?.code ?? null),
    }))
    await expect(failing).rejects.toMatchObject({ code: 'ERR_STORAGE' })
    expect(states[0]!.words).toEqual([])
    expect(outcomes).toEqual(['ERR_STORAGE'])
    log.failWith = null
    expect(await runtime.write(0, say('b'))).toBe('b')
    expect(states[0]!.words).toEqual(['b'])
  })

  test('after a failure of the disk nothing is answered from this state any more', async () => {
    const { runtime, log, states, problems } = start()
    await runtime.open(0)
    log.isDiskHeld = true
    const writing = runtime.write(0, say('a'))
    log.releaseDisk(new BrokerError('ERR_STORAGE', 'The disk is gone.'))
    await expect(writing).rejects.toMatchObject({ code: 'ERR_STORAGE' })
    expect(states[0]!.isUnloaded).toBe(true)
    expect(problems).toHaveLength(1)
    await expect(runtime.read(0, state => state.words)).rejects.toMatchObject({
      code: 'ERR_NOT_COORDINATOR',
    })
  })

  test('an operation that throws writes nothing', async () => {
    const { runtime, log } = start()
    await runtime.open(0)
    const failing = runtime.write(0, () => {
      throw new RangeError('a bug')
    })
    await expect(failing).rejects.toThrow('a bug')
    expect(log.batches(0)).toEqual([])
  })
})

describe('timers', () => {
  test('run as operations, once, and are replaced by key', async () => {
    const { runtime, time, states } = start()
    await runtime.open(0)
    const { timers, words } = states[0]!
    timers.schedule('k', 100, () => ({ records: ['early'], response: undefined }))
    timers.schedule('k', 200, () => ({ records: ['late'], response: undefined }))
    await time.advance(150)
    expect(words).toEqual([])
    await time.advance(1000)
    expect(words).toEqual(['late'])
  })

  test('are tried again when their records cannot be appended', async () => {
    const { runtime, time, states, log } = start()
    await runtime.open(0)
    states[0]!.timers.schedule('k', 100, () => ({ records: ['a'], response: undefined }))
    log.failWith = 'ERR_STORAGE'
    await time.advance(300)
    log.failWith = null
    await time.advance(1000)
    expect(states[0]!.words).toEqual(['a'])
  })

  test('die with the partition', async () => {
    const { runtime, time, states } = start()
    await runtime.open(0)
    states[0]!.timers.schedule('k', 100, () => ({ records: ['a'], response: undefined }))
    runtime.close(0)
    await time.advance(1000)
    expect(states[0]!.words).toEqual([])
    expect(time.pendingTimers).toBe(0)
  })
})

describe('loading', () => {
  test('until it is done operations are refused; then the state is that of the log', async () => {
    const first = start()
    await first.runtime.open(3)
    for (const word of ['a', 'b', 'c', 'd', 'e']) await first.runtime.write(3, say(word))
    const second = start(first.log)
    const loading = second.runtime.open(3)
    await expect(second.runtime.write(3, say('x'))).rejects.toMatchObject({
      code: 'ERR_COORDINATOR_LOADING',
    })
    await loading
    expect(second.states[0]!.words).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('passes over unknown records, reads compressed ones, tells the end of transactions', async () => {
    const log = new MemoryLog()
    const record = (key: string) => ({ key: Buffer.from(key) })
    const gzip = new RecordBatchBuilder({ codec: 'gzip' })
    log.append(0, await gzip.append(record('unknown')).append(record('a')).build())
    const { key, value } = endTxnMarker('COMMIT', 0)
    const marker = new RecordBatchBuilder({
      isControl: true,
      isTransactional: true,
      producerId: 7n,
    })
    log.append(0, marker.append({ key, value }).buildUncompressed())
    const { runtime, states } = start(log)
    await runtime.open(0)
    expect(states[0]!.words).toEqual(['a'])
    expect(states[0]!.ended).toEqual(['7 true'])
  })

  test('a log that cannot be read leaves its keys without a coordinator, and says so', async () => {
    const log = new MemoryLog()
    await start(log).runtime.open(0)
    const broken = new RecordBatchBuilder().append({ key: Buffer.from('a') }).buildUncompressed()
    broken.writeInt32BE(9, 57)
    log.append(0, broken)
    const { runtime, problems } = start(log)
    await runtime.open(0)
    expect(problems).toHaveLength(1)
    await expect(runtime.write(0, say('x'))).rejects.toMatchObject({ code: 'ERR_NOT_COORDINATOR' })
  })
})
