/**
 * A client's connection: one request at a time, in order, over a network that loses requests and answers, delays
 * both, and brings a request twice; the second answer goes nowhere.
 */
import type { World } from './world.js'

const ANSWER_TIMEOUT_MS = 4_000
/** A JoinGroup is answered when the others have joined. */
export const JOIN_TIMEOUT_MS = 25_000

export class Connection {
  readonly #world: World
  /** The request that an answer is awaited for; answers to others come too late. */
  #current = 0
  #isBusy = false
  #lastArrivalMs = 0
  isClosed = false

  constructor(world: World) {
    this.#world = world
  }

  get isBusy(): boolean {
    return this.#isBusy
  }

  /** Gives up what is under way. */
  close(): void {
    this.isClosed = true
    this.#current++
    this.#isBusy = false
  }

  send<T>(
    execute: () => Promise<T>,
    onAnswer: (answer: T | null) => void,
    timeoutMs = ANSWER_TIMEOUT_MS,
  ): void {
    const world = this.#world
    const { chance } = world
    const request = ++this.#current
    this.#isBusy = true
    const faults = world.hasFaults
    const isLost = faults && chance.percent(6)
    const isAnswerLost = faults && chance.percent(6)
    const isDoubled = faults && chance.percent(8)
    const delayMs = faults && chance.percent(15) ? chance.int(3_000) : chance.int(20)
    const backMs = faults && chance.percent(10) ? chance.int(3_000) : chance.int(20)
    const now = world.time.nowMs()
    const arrivalMs = Math.max(now + delayMs, this.#lastArrivalMs)
    this.#lastArrivalMs = arrivalMs
    const done = (answer: T | null): void => {
      if (this.#current !== request) return
      cancelTimeout()
      this.#isBusy = false
      onAnswer(answer)
    }
    const cancelTimeout = world.after(timeoutMs, () => done(null))
    if (isLost) return
    world.after(arrivalMs - now, () => {
      if (world.isDown) return
      const fail = (error: Error): void => world.fail(error)
      execute().then(answer => {
        if (!isAnswerLost) world.after(backMs, () => done(answer))
      }, fail)
      if (isDoubled) execute().catch(fail)
    })
  }
}
