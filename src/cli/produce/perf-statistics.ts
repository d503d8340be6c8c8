/** Counts and latencies of a performance test, printed in the words of kafka-producer-perf-test. */

const BYTES_PER_MB = 1024 * 1024
/** Latencies kept for the percentiles; beyond it every n-th. */
const SAMPLES_MAX = 500_000

export class PerfStatistics {
  readonly #print: (line: string) => void
  readonly #reportingIntervalMs: number
  readonly #sampleEvery: number
  readonly #samples: number[] = []
  readonly #startMs: number
  #count = 0
  #bytes = 0
  #latencySum = 0
  #latencyMax = 0
  #windowStartMs: number
  #windowCount = 0
  #windowBytes = 0
  #windowLatencySum = 0
  #windowLatencyMax = 0

  /** Times are performance.now(). */
  constructor(
    recordCount: number,
    reportingIntervalMs: number,
    nowMs: number,
    print: (line: string) => void,
  ) {
    this.#print = print
    this.#reportingIntervalMs = reportingIntervalMs
    this.#sampleEvery = Math.max(1, Math.ceil(recordCount / SAMPLES_MAX))
    this.#startMs = nowMs
    this.#windowStartMs = nowMs
  }

  record(latencyMs: number, bytes: number, nowMs: number): void {
    if (this.#count % this.#sampleEvery === 0) this.#samples.push(latencyMs)
    this.#count++
    this.#bytes += bytes
    this.#latencySum += latencyMs
    this.#latencyMax = Math.max(this.#latencyMax, latencyMs)
    this.#windowCount++
    this.#windowBytes += bytes
    this.#windowLatencySum += latencyMs
    this.#windowLatencyMax = Math.max(this.#windowLatencyMax, latencyMs)
    if (nowMs - this.#windowStartMs >= this.#reportingIntervalMs) this.#printWindow(nowMs)
  }

  #printWindow(nowMs: number): void {
    const seconds = (nowMs - this.#windowStartMs) / 1000
    const count = this.#windowCount
    this.#print(
      `${count} records sent, ${(count / seconds).toFixed(1)} records/sec ` +
        `(${(this.#windowBytes / seconds / BYTES_PER_MB).toFixed(2)} MB/sec), ` +
        `${(this.#windowLatencySum / count).toFixed(1)} ms avg latency, ` +
        `${this.#windowLatencyMax.toFixed(1)} ms max latency.`,
    )
    this.#windowStartMs = nowMs
    this.#windowCount = this.#windowBytes = 0
    this.#windowLatencySum = this.#windowLatencyMax = 0
  }

  printTotal(nowMs: number): void {
    const seconds = (nowMs - this.#startMs) / 1000
    const [p50, p95, p99, p999] = this.#percentiles([0.5, 0.95, 0.99, 0.999])
    this.#print(
      `${this.#count} records sent, ${(this.#count / seconds).toFixed(6)} records/sec ` +
        `(${(this.#bytes / seconds / BYTES_PER_MB).toFixed(2)} MB/sec), ` +
        `${(this.#latencySum / Math.max(1, this.#count)).toFixed(2)} ms avg latency, ` +
        `${this.#latencyMax.toFixed(2)} ms max latency, ` +
        `${p50} ms 50th, ${p95} ms 95th, ${p99} ms 99th, ${p999} ms 99.9th.`,
    )
  }

  #percentiles(parts: readonly number[]): string[] {
    const sorted = Float64Array.from(this.#samples).sort()
    const at = (part: number) => sorted[Math.floor(part * sorted.length)] ?? sorted.at(-1) ?? 0
    return parts.map(part => at(part).toFixed(0))
  }
}
