/** When committed offsets expire (KIP-211). */

export interface CommittedOffset {
  readonly offset: bigint
  /** -1: unknown. */
  readonly leaderEpoch: number
  readonly metadata: string
  readonly commitTimestampMs: number
  /** Set by OffsetCommit v2-v4 with a retention time; -1: by the rules of the broker. */
  readonly expireTimestampMs: number
  /** ZERO_UUID: unknown. */
  readonly topicId: string
}

/** The time from which a retention counts; an offset with a time of its own expires at that. */
export type OffsetExpiry = (offset: CommittedOffset) => number

export function isExpired(
  offset: CommittedOffset,
  expiry: OffsetExpiry,
  { nowMs, retentionMs }: { readonly nowMs: number; readonly retentionMs: number },
): boolean {
  if (offset.expireTimestampMs !== -1) return nowMs >= offset.expireTimestampMs
  return nowMs - expiry(offset) >= retentionMs
}
