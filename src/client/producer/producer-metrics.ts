/** Counters of a producer, as its owner reads them. */
import type { Shipment } from './produce-request.js'
import type { ProducerBatch } from './producer-batch.js'

/**
 * What a producer did so far.
 *
 * @example
 * const { recordsAcked, retries } = producer.metrics()
 */
export interface ProducerMetricsSnapshot {
  readonly recordsAcked: number
  readonly recordsFailed: number
  readonly batchesAcked: number
  readonly requestsSent: number
  /** Bytes of batches as sent, compressed where they are, retries included. */
  readonly bytesSent: number
  readonly retries: number
  /** Batches that were too large for the broker and were split. */
  readonly splits: number
  /** Bytes of memory that records hold now. */
  readonly bufferedBytes: number
}

export class ProducerMetrics {
  recordsAcked = 0
  recordsFailed = 0
  batchesAcked = 0
  requestsSent = 0
  bytesSent = 0
  retries = 0
  splits = 0

  requestSent(shipments: readonly Shipment[]): void {
    this.requestsSent++
    for (const { bytes } of shipments) this.bytesSent += bytes.length
  }

  acked({ recordCount }: ProducerBatch): void {
    this.batchesAcked++
    this.recordsAcked += recordCount
  }

  failed({ recordCount }: ProducerBatch): void {
    this.recordsFailed += recordCount
  }

  snapshot(bufferedBytes: number): ProducerMetricsSnapshot {
    const { recordsAcked, recordsFailed, batchesAcked, requestsSent } = this
    const { bytesSent, retries, splits } = this
    return {
      recordsAcked,
      recordsFailed,
      batchesAcked,
      requestsSent,
      bytesSent,
      retries,
      splits,
      bufferedBytes,
    }
  }
}
