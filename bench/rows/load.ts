/** Loads and figures that several rows share. */
import type { LoadOptions, Sample } from '../generator.js'
import { hostAndPort } from '../targets/target.js'
import { type Figure, type RowContext, amount } from './row.js'

export const MB = 1e6
export const GB = 1e9

export interface ProduceShape {
  readonly recordSize: number
  /** Of one batch, and so of a request; 0 for a single record. */
  readonly batchBytes: number
  readonly partitions?: number
  readonly connections: number
  readonly depth: number
  readonly bytes: number
  readonly more?: LoadOptions
}

export function brokerOptions({ target, scale }: RowContext, bytes: number) {
  return {
    ...hostAndPort(target),
    'broker-pid': target.pid,
    bytes: Math.ceil(bytes * scale),
    'warmup-bytes': Math.ceil((bytes * scale) / 10),
  }
}

export function produce(context: RowContext, topic: string, shape: ProduceShape): Promise<Sample> {
  return context.generator.run('produce', {
    ...brokerOptions(context, shape.bytes),
    topic,
    partitions: shape.partitions ?? 1,
    'record-size': shape.recordSize,
    'batch-bytes': shape.batchBytes,
    connections: shape.connections,
    depth: shape.depth,
    ...shape.more,
  })
}

export const LARGE_REQUESTS: ProduceShape = {
  recordSize: 1024,
  batchBytes: MB,
  connections: 2,
  depth: 2,
  bytes: 1.5 * GB,
}

export const perGigabyte = (cpu: string): Figure['of'] => {
  return sample => amount(sample, cpu) / (amount(sample, 'bytes') / GB)
}
export const perMillionRecords = (cpu: string): Figure['of'] => {
  return sample => amount(sample, cpu) / (amount(sample, 'records') / 1e6)
}
export const perRequest = (cpu: string): Figure['of'] => {
  return sample => (amount(sample, cpu) / amount(sample, 'requests')) * 1e6
}
export const clientPerGigabyte: Figure = {
  title: 'client CPU',
  unit: 's/GB',
  of: perGigabyte('clientCpuSeconds'),
}
export const megabytes: Figure = {
  title: 'rate',
  unit: 'MB/s',
  larger: true,
  of: sample => amount(sample, 'megabytesPerSecond'),
}
export const millionRecords: Omit<Figure, 'goal'> = {
  title: 'rate',
  unit: 'M records/s',
  larger: true,
  of: sample => amount(sample, 'records') / amount(sample, 'seconds') / 1e6,
}

/** A figure that the generator prints under this name. */
export function printed(title: string, unit: string, name: string): Omit<Figure, 'goal'> {
  return { title, unit, of: sample => amount(sample, name) }
}
