/** The point in time of --time, as ListOffsets takes it. */
import { UsageError } from '../failure.js'

const NAMES: Readonly<Record<string, bigint>> = {
  latest: -1n,
  earliest: -2n,
  'max-timestamp': -3n,
  'earliest-local': -4n,
  'latest-tiered': -5n,
  'earliest-pending-upload': -6n,
}

export function timestampOf(time: string): bigint {
  const named = NAMES[time]
  if (named !== undefined) return named
  if (/^[+-]?\d+$/.test(time)) return BigInt(time.replace('+', ''))
  const names = Object.entries(NAMES).map(([name, value]) => `${value} or ${name}`)
  throw new UsageError(
    `Malformed time argument ${time}. Please use ${names.join(' / ')}, or a specified long format timestamp`,
  )
}
