/**
 * What becomes of a batch after a try: acknowledged, tried again, split, or given up; by Kafka's rules for the
 * idempotent producer (KIP-98, KIP-360) and for batches that are too large (KIP-126).
 */
import { ErrorCode, isRetriable } from '../../protocol/error-codes.js'
import { backoffMs } from '../backoff.js'
import type { Cluster } from '../cluster/cluster.js'
import { KafkaError, brokerError, errorCodeOf, isRetriableError } from '../errors.js'
import type { Accumulator } from './accumulator.js'
import type { PartitionQueue } from './partition-queue.js'
import type { PartitionAnswer } from './produce-request.js'
import type { ProducerBatch } from './producer-batch.js'
import type { ProducerMetrics } from './producer-metrics.js'
import type { ResolvedProducerOptions } from './producer-options.js'
import { splitBatch } from './split-batch.js'

export class Outcomes {
  readonly #cluster: Cluster
  readonly #options: ResolvedProducerOptions
  readonly #accumulator: Accumulator
  readonly #metrics: ProducerMetrics

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
  }

  /** The broker answered for the batch, or left it out. */
  answered(queue: PartitionQueue, batch: ProducerBatch, answer: PartitionAnswer | undefined): void {
    const subject = `Producing to ${queue.topic}-${queue.partition}`
    if (answer === undefined) {
      this.failed(
        queue,
        batch,
        new KafkaError(ErrorCode.UNKNOWN_SERVER_ERROR, `${subject}: no answer.`),
      )
      return
    }
    const { errorCode, baseOffset, logAppendTimeMs } = answer
    if (errorCode === ErrorCode.NONE) {
      this.resolve(queue, batch, baseOffset, logAppendTimeMs)
      return
    }
    if (errorCode === ErrorCode.DUPLICATE_SEQUENCE_NUMBER) {
      // Written by an earlier try, too long ago for the broker to know where.
      this.resolve(queue, batch, -1n, -1n)
      return
    }
    const { leaderId, leaderEpoch } = answer.currentLeader
    const knowsLeader =
      leaderId >= 0 &&
      this.#cluster.metadata.updateLeader(queue.topic, queue.partition, leaderId, leaderEpoch)
    const error = brokerError(errorCode, subject, answer.errorMessage ?? firstRecordError(answer))
    this.failed(queue, batch, error, knowsLeader)
  }

  /** A try failed. `knowsLeader`: the answer said where to go instead, so there is nothing to wait for. */
  failed(queue: PartitionQueue, batch: ProducerBatch, error: unknown, knowsLeader = false): void {
    if (batch.isSettled) return
    const code = errorCodeOf(error)
    batch.lastError = error
    if (code === ErrorCode.MESSAGE_TOO_LARGE && batch.recordCount > 1) {
      this.#split(queue, batch)
      return
    }
    if (!this.#mayRetry(queue, batch, error)) {
      this.reject(queue, batch, error)
      return
    }
    this.#metrics.retries++
    const waitMs = knowsLeader ? 0 : backoffMs(this.#cluster.backoff, batch.attempts)
    batch.attempts++
    batch.retryAtMs = performance.now() + waitMs
    queue.requeue(batch)
    if (!knowsLeader && isRetriable(code)) this.#cluster.refreshSoon()
  }

  resolve(
    queue: PartitionQueue,
    batch: ProducerBatch,
    baseOffset: bigint,
    logAppendTimeMs: bigint,
  ): void {
    queue.acked(batch)
    if (batch.isSettled) return
    const { topic, partition } = queue
    this.#metrics.acked(batch)
    batch.resolve({ topic, partition, baseOffset, logAppendTimeMs })
    this.#release(batch)
  }

  /** Gives a batch up. */
  reject(queue: PartitionQueue, batch: ProducerBatch, error: unknown): void {
    if (batch.isSettled) return
    // What is under way, or was and got no answer, may be in the log.
    const mayBeWritten = batch.isInFlight || isAmbiguous(batch.lastError)
    queue.failed(batch, mayBeWritten)
    this.#metrics.failed(batch)
    batch.reject(error)
    this.#release(batch)
  }

  #mayRetry(queue: PartitionQueue, batch: ProducerBatch, error: unknown): boolean {
    if (batch.attempts >= this.#options.retries) return false
    if (performance.now() >= batch.createdMs + this.#options.deliveryTimeoutMs) return false
    if (isRetriableError(error)) return true
    if (!batch.hasSequence) return false
    switch (errorCodeOf(error)) {
      case ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER:
        if (!queue.waitsForEarlier(batch)) queue.recover('rewrite')
        return true
      case ErrorCode.UNKNOWN_PRODUCER_ID:
        queue.recover('rewrite')
        return true
      default:
        return false
    }
  }

  #split(queue: PartitionQueue, batch: ProducerBatch): void {
    this.#metrics.splits++
    const parts = splitBatch(batch)
    queue.replace(batch, parts)
    batch.handOver(parts)
    this.#release(batch)
  }

  #release(batch: ProducerBatch): void {
    if (batch.isPooled) this.#accumulator.pool.give(batch.buffer)
  }
}

function isAmbiguous(error: unknown): boolean {
  const code = error === undefined ? ErrorCode.NONE : errorCodeOf(error)
  return code === ErrorCode.NETWORK_EXCEPTION || code === ErrorCode.REQUEST_TIMED_OUT
}

function firstRecordError({ recordErrors }: PartitionAnswer): string | undefined {
  const first = recordErrors[0]
  if (first === undefined) return undefined
  return `Record ${first.batchIndex} of the batch: ${first.batchIndexErrorMessage ?? 'refused'}`
}
