/**
 * Orders control requests: those of one connection run strictly one after another, as Kafka does, those of
 * different connections together. Neighbour: request-pipeline.ts, which runs each request.
 */

/** How many requests of one connection run before others get a turn of the event loop. */
const RUN_MAX = 32

export class ConnectionQueues<T> {
  /** A connection is present while one of its requests runs; the list holds what waits behind it. */
  readonly #waiting = new Map<bigint, T[]>()
  readonly #run: (item: T) => Promise<void> | undefined

  /** `run` handles one item and must neither throw nor reject; undefined: it is already done. */
  constructor(run: (item: T) => Promise<void> | undefined) {
    this.#run = run
  }

  /** Connections with a request in work. */
  get busyConnections(): number {
    return this.#waiting.size
  }

  /** Runs the item now, or after all earlier ones of the same connection. */
  push(connection: bigint, item: T): void {
    const waiting = this.#waiting.get(connection)
    if (waiting !== undefined) {
      waiting.push(item)
      return
    }
    const running = this.#run(item)
    if (running === undefined) return
    this.#waiting.set(connection, [])
    void running.then(() => this.#next(connection))
  }

  /** Drops what waits for a connection that is gone; a request in work runs to its end. */
  forget(connection: bigint): void {
    const waiting = this.#waiting.get(connection)
    if (waiting !== undefined) waiting.length = 0
  }

  #next(connection: bigint): void {
    for (let runs = 0; runs < RUN_MAX; runs++) {
      const item = this.#waiting.get(connection)?.shift()
      if (item === undefined) {
        this.#waiting.delete(connection)
        return
      }
      const running = this.#run(item)
      if (running === undefined) continue
      void running.then(() => this.#next(connection))
      return
    }
    setImmediate(() => this.#next(connection))
  }
}
