/**
 * Moves batches from the queues to the brokers: decides what is ready, keeps so many requests in flight per broker,
 * and settles, retries or splits by what comes back. It runs when woken, at the end of the running turn, and by one
 * timer for everything that waits.
 */
import type { ProduceResponse } from '../../protocol/messages/produce.js'
import { backoffMs } from '../backoff.js'
import type { Cluster } from '../cluster/cluster.js'
import type { BrokerNode } from '../cluster/metadata.js'
import type { Connection } from '../connection.js'
import { timeoutError } from '../errors.js'
import type { Accumulator } from './accumulator.js'
import { Outcomes } from './outcomes.js'
import type { PartitionQueue } from './partition-queue.js'
import { PRODUCE, type Shipment, answersOf, produceBody, versionLimit } from './produce-request.js'
import { type ProducerBatch, whenSettled } from './producer-batch.js'
import { type ProducerIdentity, initProducerId } from './producer-id.js'
import type { ProducerMetrics } from './producer-metrics.js'
import type { ResolvedProducerOptions } from './producer-options.js'

/** What a request needs besides its batches: header, topic names, lengths; a generous estimate. */
const REQUEST_OVERHEAD = 512

export class Sender {
  readonly #cluster: Cluster
  readonly #options: ResolvedProducerOptions
  readonly #accumulator: Accumulator
  readonly #metrics: ProducerMetrics
  readonly #outcomes: Outcomes
  readonly #inFlight = new Map<number, number>()
  readonly #connecting = new Set<number>()
  /** Batches that were taken from their queues and not settled. */
  readonly #travelling = new Set<Shipment>()
  #identity: ProducerIdentity | null = null
  #isAskingForIdentity = false
  #isAskingForMetadata = false
  #isScheduled = false
  #isClosed = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #timerAtMs = Infinity

  constructor(
    cluster: Cluster,
    options: ResolvedProducerOptions,
    accumulator: Accumulator,
    metrics: ProducerMetrics,
  ) {
    this.#cluster = cluster
    this.#options = options
    this.#accumulator = accumulator
    this.#metrics = metrics
    this.#outcomes = new Outcomes(cluster, options, accumulator, metrics)
    cluster.onMetadata(() => this.wake())
  }

  /** Looks for work at the end of the running turn. */
  wake(): void {
    if (this.#isScheduled || this.#isClosed) return
    this.#isScheduled = true
    queueMicrotask(() => {
      this.#isScheduled = false
      this.#run()
    })
  }

  /** Called after an append. A new batch means that the one before is full, or that a linger begins. */
  appended(batch: ProducerBatch): void {
    if (batch.recordCount === 1) this.wake()
  }

  /** Sends what is there without lingering; resolves when all of it is settled. */
  flush(): Promise<void> {
    const batches = [...this.#travelling].map(({ batch }) => batch)
    for (const queue of this.#accumulator.active) {
      queue.openBatch?.close()
      batches.push(...queue.batches)
    }
    this.wake()
    return whenSettled(batches)
  }

  /** Gives up what is left; `error` goes to whoever waits for it. */
  close(error: unknown): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    for (const { queue, batch } of this.#travelling) this.#outcomes.reject(queue, batch, error)
    for (const queue of this.#accumulator.active) {
      for (const batch of [...queue.batches]) this.#outcomes.reject(queue, batch, error)
    }
    this.#travelling.clear()
    this.#accumulator.active.clear()
  }

  #run(): void {
    if (this.#isClosed) return
    const nowMs = performance.now()
    this.#expire(nowMs)
    // A request takes one batch of a partition; the next batch may leave at once behind it.
    while (this.#sendReady(nowMs));
  }

  /** One round over all queues. True if something was sent, so that another round may find more. */
  #sendReady(nowMs: number): boolean {
    const ready = new Map<number, { node: BrokerNode; queues: PartitionQueue[] }>()
    for (const queue of this.#accumulator.active) {
      if (queue.batches.length === 0) {
        this.#accumulator.active.delete(queue)
        continue
      }
      const node = this.#readyNode(queue, nowMs)
      if (node === undefined) continue
      const entry = ready.get(node.nodeId)
      if (entry === undefined) ready.set(node.nodeId, { node, queues: [queue] })
      else entry.queues.push(queue)
    }
    let hasSent = false
    for (const { node, queues } of ready.values()) {
      if (this.#sendTo(node, queues)) hasSent = true
    }
    return hasSent
  }

  /** The leader to send the queue's head to now; undefined if it has to wait, for which a wake is arranged. */
  #readyNode(queue: PartitionQueue, nowMs: number): BrokerNode | undefined {
    if (this.#options.enableIdempotence && !this.#hasIdentity(queue)) return undefined
    queue.completeRecovery()
    const batch = queue.head()
    if (batch === undefined || batch.isCompressing) return undefined
    const lingersUntil = batch.createdMs + this.#options.lingerMs
    const isFull = batch.isClosed || queue.batches.length > 1
    if (!isFull && !this.#accumulator.pool.isExhausted) {
      if (lingersUntil > nowMs) {
        this.#wakeAt(lingersUntil)
        return undefined
      }
    }
    if (batch.retryAtMs > nowMs) {
      this.#wakeAt(batch.retryAtMs)
      return undefined
    }
    if (batch.needsCompression) {
      this.#compress(queue, batch)
      return undefined
    }
    const leader = this.#cluster.metadata.partition(queue.topic, queue.partition)?.leader ?? -1
    const node = this.#cluster.metadata.broker(leader)
    if (node === undefined) this.#askForMetadata(queue)
    return node
  }

  #hasIdentity(queue: PartitionQueue): boolean {
    if (!queue.needsProducerId) return true
    if (queue.inFlightCount > 0) return false
    const identity = this.#identity
    if (identity === null || identity.producerId === queue.producerId) {
      this.#askForIdentity()
      return false
    }
    queue.start(identity.producerId, identity.producerEpoch)
    return true
  }

  #askForIdentity(): void {
    if (this.#isAskingForIdentity) return
    this.#isAskingForIdentity = true
    initProducerId(this.#cluster, this.#options.deliveryTimeoutMs)
      .then(
        identity => (this.#identity = identity),
        (error: unknown) => this.#rejectUnnumbered(error),
      )
      .finally(() => {
        this.#isAskingForIdentity = false
        this.wake()
      })
  }

  /** Without a producer id nothing can be sent. */
  #rejectUnnumbered(error: unknown): void {
    for (const queue of this.#accumulator.active) {
      if (!queue.needsProducerId) continue
      for (const batch of [...queue.batches]) this.#outcomes.reject(queue, batch, error)
    }
  }

  #compress(queue: PartitionQueue, batch: ProducerBatch): void {
    batch
      .compress()
      .catch((error: unknown) => this.#outcomes.reject(queue, batch, error))
      .finally(() => this.wake())
  }

  #askForMetadata(queue: PartitionQueue): void {
    this.#cluster.watchTopic(queue.topic)
    if (this.#isAskingForMetadata) return
    this.#isAskingForMetadata = true
    this.#cluster
      .refresh()
      .catch(() => {})
      .finally(() => {
        // Whatever came of it, not again at once.
        const waitMs = backoffMs(this.#cluster.backoff, 0)
        setTimeout(() => {
          this.#isAskingForMetadata = false
          this.wake()
        }, waitMs)
      })
  }

  /** True if a request was sent. */
  #sendTo(node: BrokerNode, queues: PartitionQueue[]): boolean {
    const connection = this.#cluster.openConnection(node)
    if (connection === undefined) {
      this.#connect(node)
      return false
    }
    if (connection.throttleMs > 0) {
      this.#wakeAt(performance.now() + connection.throttleMs)
      return false
    }
    let next = 0
    while (next < queues.length) {
      const inFlight = this.#inFlight.get(node.nodeId) ?? 0
      if (inFlight >= this.#options.maxInFlightRequestsPerConnection) return next > 0
      const shipments: Shipment[] = []
      let size = REQUEST_OVERHEAD
      for (; next < queues.length; next++) {
        const queue = queues[next]!
        const { sizeBytes } = queue.batches[0]!
        if (shipments.length > 0 && size + sizeBytes > this.#options.maxRequestSize) break
        shipments.push(this.#ship(queue))
        size += sizeBytes
      }
      this.#send(node, connection, shipments)
    }
    return true
  }

  #ship(queue: PartitionQueue): Shipment {
    const idempotent = this.#options.enableIdempotence
    const batch = queue.take(idempotent)
    const bytes = batch.encode(idempotent ? queue.producerId : -1n, idempotent ? queue.epoch : -1)
    if (queue.batches.length === 0) this.#accumulator.active.delete(queue)
    const shipment = { queue, batch, bytes }
    this.#travelling.add(shipment)
    return shipment
  }

  #send(node: BrokerNode, connection: Connection, shipments: Shipment[]): void {
    const { acks, requestTimeoutMs } = this.#options
    const { metadata } = this.#cluster
    const body = produceBody(shipments, metadata, acks, requestTimeoutMs)
    this.#metrics.requestSent(shipments)
    if (acks === 0) {
      this.#settle(shipments, () => connection.sendOneWay(PRODUCE.request, body))
      return
    }
    this.#inFlight.set(node.nodeId, (this.#inFlight.get(node.nodeId) ?? 0) + 1)
    this.#wakeAt(performance.now() + this.#options.deliveryTimeoutMs)
    connection
      .request(PRODUCE, body, requestTimeoutMs, versionLimit(shipments, metadata))
      .then(
        response => this.#answered(shipments, response),
        (error: unknown) => this.#failed(shipments, error),
      )
      .finally(() => {
        this.#inFlight.set(node.nodeId, this.#inFlight.get(node.nodeId)! - 1)
        this.#run()
      })
  }

  /** acks=0: what was handed to the connection counts as sent. */
  #settle(shipments: Shipment[], send: () => void): void {
    try {
      send()
    } catch (error) {
      this.#failed(shipments, error)
      this.wake()
      return
    }
    for (const shipment of shipments) {
      this.#arrived(shipment)
      this.#outcomes.resolve(shipment.queue, shipment.batch, -1n, -1n)
    }
    this.wake()
  }

  #answered(shipments: Shipment[], response: ProduceResponse): void {
    const { metadata } = this.#cluster
    metadata.addBrokers(response.nodeEndpoints)
    for (const [shipment, answer] of answersOf(shipments, response, metadata)) {
      this.#arrived(shipment)
      if (!this.#isClosed) this.#outcomes.answered(shipment.queue, shipment.batch, answer)
      this.#reactivate(shipment.queue)
    }
  }

  #failed(shipments: Shipment[], error: unknown): void {
    for (const shipment of shipments) {
      this.#arrived(shipment)
      if (!this.#isClosed) this.#outcomes.failed(shipment.queue, shipment.batch, error)
      this.#reactivate(shipment.queue)
    }
  }

  #arrived(shipment: Shipment): void {
    this.#travelling.delete(shipment)
    shipment.batch.isInFlight = false
    shipment.queue.inFlightCount--
  }

  #reactivate(queue: PartitionQueue): void {
    if (queue.batches.length > 0) this.#accumulator.active.add(queue)
  }

  #connect(node: BrokerNode): void {
    if (this.#connecting.has(node.nodeId)) return
    this.#connecting.add(node.nodeId)
    this.#cluster
      .connection(node)
      .catch(() => this.#cluster.refreshSoon())
      .finally(() => {
        this.#connecting.delete(node.nodeId)
        this.wake()
      })
  }

  /** Rejects what is older than deliveryTimeoutMs, waiting or travelling. */
  #expire(nowMs: number): void {
    const { deliveryTimeoutMs } = this.#options
    const isOver = (batch: ProducerBatch): boolean => {
      if (batch.createdMs + deliveryTimeoutMs <= nowMs) return true
      this.#wakeAt(batch.createdMs + deliveryTimeoutMs)
      return false
    }
    for (const { queue, batch } of this.#travelling) {
      if (!batch.isSettled && isOver(batch)) this.#outcomes.reject(queue, batch, late(queue, batch))
    }
    for (const queue of this.#accumulator.active) {
      // In order of age, but for what is sent again.
      while (queue.batches[0] !== undefined && isOver(queue.batches[0])) {
        const batch = queue.batches[0]
        this.#outcomes.reject(queue, batch, late(queue, batch))
      }
    }
  }

  #wakeAt(atMs: number): void {
    if (this.#timerAtMs <= atMs || this.#isClosed) return
    clearTimeout(this.#timer)
    this.#timerAtMs = atMs
    this.#timer = setTimeout(
      () => {
        this.#timerAtMs = Infinity
        this.#run()
      },
      Math.max(0, atMs - performance.now()),
    )
  }
}

function late({ topic, partition }: PartitionQueue, batch: ProducerBatch): Error {
  return timeoutError(
    `${batch.recordCount} records for ${topic}-${partition} were not acknowledged within ` +
      `deliveryTimeoutMs, after ${batch.attempts} failed tries. Check that the partition has a leader ` +
      'that can be reached.',
    batch.lastError,
  )
}
