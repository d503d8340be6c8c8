/**
 * One partition under steady load: numbered records in with acks=all, the same numbers out behind them. The offset of a
 * record is its number, so that every acknowledgement and every record read is checked on the spot.
 */
import { fetch, produce } from '../support/partition-calls.js'
import { RawClient } from '../support/raw-client.js'
import { batchesOf, recordBatch } from '../support/record-batch-bytes.js'

const RECORDS_OF_BATCH = 20
const HEADER_BYTES = 61

export class SteadyPartition {
  readonly topic: string
  readonly #port: number
  readonly #violations: string[]
  produced = 0
  fetched = 0

  constructor(port: number, topic: string, violations: string[]) {
    this.#port = port
    this.topic = topic
    this.#violations = violations
  }

  /** Produces a batch every `everyMs` until `ended`. */
  async produce(ended: () => boolean, everyMs: number): Promise<void> {
    const client = await RawClient.connect(this.#port)
    while (!ended()) {
      const answer = await produce(
        client,
        this.topic,
        recordBatch(this.#records(), { gzip: false }),
      )
      if (answer['errorCode'] !== 0 || Number(answer['baseOffset']) !== this.produced) {
        this.#violations.push(
          `${this.topic}: record ${this.produced} was answered with error ${answer['errorCode']}, offset ${answer['baseOffset']}`,
        )
        break
      }
      this.produced += RECORDS_OF_BATCH
      await new Promise(resolve => setTimeout(resolve, everyMs))
    }
    client.close()
  }

  /** Follows the log until `ended`, then reads on to its end. */
  async follow(ended: () => boolean): Promise<void> {
    this.fetched = await this.#read(this.fetched, () => ended() && this.fetched >= this.produced)
  }

  /** Reads everything once more from the beginning. */
  async readAgain(): Promise<number> {
    return this.#read(0, next => next >= this.produced)
  }

  async #read(from: number, done: (next: number) => boolean): Promise<number> {
    const client = await RawClient.connect(this.#port)
    let next = from
    while (!done(next)) {
      const answer = await fetch(client, this.topic, next, { maxWaitMs: 500 })
      const records: Buffer = answer['records'] ?? Buffer.alloc(0)
      if (answer['errorCode'] !== 0) {
        this.#violations.push(`${this.topic}: fetch at ${next} got error ${answer['errorCode']}`)
        break
      }
      next = this.#check(records, next)
      this.fetched = Math.max(this.fetched, next)
    }
    client.close()
    return next
  }

  /** Returns the number that comes after the last whole batch. */
  #check(records: Buffer, from: number): number {
    let at = 0
    let next = from
    for (const batch of batchesOf(records)) {
      const base = Number(batch.baseOffset)
      // A fetch inside a batch brings all of it.
      if (base > next) this.#violations.push(`${this.topic}: ${next} to ${base} are missing`)
      const content = records.toString('latin1', at + HEADER_BYTES, at + batch.size)
      for (let i = 0; i < batch.recordsCount; i++) {
        if (!content.includes(this.#value(base + i))) {
          this.#violations.push(`${this.topic}: offset ${base + i} holds something else`)
        }
      }
      next = base + batch.recordsCount
      at += batch.size
    }
    return next
  }

  #records(): { value: string }[] {
    return Array.from({ length: RECORDS_OF_BATCH }, (_, i) => ({
      value: this.#value(this.produced + i),
    }))
  }

  #value(number: number): string {
    return `<${this.topic}:${number}>`
  }
}
