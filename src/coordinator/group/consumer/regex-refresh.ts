/**
 * Patterns of a consumer group over time: checked as they come, resolved on a later turn, resolved anew when topics
 * came and from time to time. A group whose topics changed by it gets a new epoch.
 */
import { ErrorCode } from '../../../protocol/error-codes.js'
import { type Outcome, answer } from '../../runtime/operation.js'
import type { GroupRecord } from '../records/group-record.js'
import { ConsumerGroup } from './consumer-group.js'
import { groupRecord, regexRecord, regexTombstone } from './consumer-group-records.js'
import type { ConsumerSideState, GroupChange } from './group-change.js'
import { sameSet } from './partitions.js'
import { Refusal } from './refusal.js'
import { Subscriptions } from './subscriptions.js'
import type { MemberUpdate } from './target-assignment.js'
import { regexFault, resolveRegexes, UNRESOLVED_TOPICS } from './topic-regex.js'

/** Patterns are not resolved more often than this. */
const REFRESH_PAUSE_MS = 10_000
/** And at least this often, while members send heartbeats. */
const REFRESH_INTERVAL_MS = 600_000
const REFRESH_EPOCH_MS = 2 ** 31 - 1

export interface RegexUpdate {
  readonly hasChanged: boolean
  /** The topics of the member are known now, so that the group can assign at once. */
  readonly isResolved: boolean
}

/** Throws Refusal: INVALID_REGULAR_EXPRESSION. */
export function updateRegexes(change: GroupChange, { old, changed }: MemberUpdate): RegexUpdate {
  const { group, records } = change
  const [before, after] = [old.subscribedTopicRegex, changed.subscribedTopicRegex]
  if (before === after) {
    refreshIfDue(change, { before, after, isNew: false })
    return { hasChanged: false, isResolved: false }
  }
  let isNew = false
  let isResolved = after === '' && before !== ''
  if (after !== '' && group.subscriptions.subscribersOf(after) === 0) {
    assertValid(after)
    isNew = true
  } else if (after !== '') {
    isResolved = group.resolvedRegexes.has(after)
  }
  if (before !== '' && group.subscriptions.subscribersOf(before) === 1) {
    records.push(regexTombstone(group.groupId, before))
  }
  refreshIfDue(change, { before, after, isNew })
  return { hasChanged: true, isResolved }
}

function assertValid(regex: string): void {
  const fault = regexFault(regex)
  if (fault === null) return
  const message = `SubscribedTopicRegex \`${regex}\` is not a valid regular expression: ${fault}.`
  throw new Refusal(ErrorCode.INVALID_REGULAR_EXPRESSION, message)
}

const keyOf = (groupId: string): string => `consumer-regex:${groupId}`

function refreshIfDue(
  { side, group, nowMs }: GroupChange,
  { before, after, isNew }: { before: string; after: string; isNew: boolean },
): void {
  if (!isNew && group.subscriptions.regexes().size === 0) return
  const { timers } = side.shard.context
  if (timers.has(keyOf(group.groupId))) return
  const [first] = group.resolvedRegexes.values()
  const lastMs = first?.timestampMs ?? -Infinity
  // A clock that was set back must not hold patterns up.
  if (nowMs >= lastMs && nowMs <= lastMs + REFRESH_PAUSE_MS) return
  const wanted = regexesAfter(group, before, after)
  const isDue =
    isNew ||
    wanted.size !== group.resolvedRegexes.size ||
    group.regexesResolvedAt === null ||
    group.regexesResolvedAt < side.newTopicsVersion ||
    nowMs > lastMs + REFRESH_INTERVAL_MS
  if (!isDue || wanted.size === 0) return
  const regexes = [...wanted.keys()]
  timers.schedule(keyOf(group.groupId), 0, atMs => refresh(side, group.groupId, { regexes, atMs }))
}

/** The patterns of the group, once a member has another one. */
function regexesAfter(group: ConsumerGroup, before: string, after: string): Map<string, number> {
  const wanted = new Map(group.subscriptions.regexes())
  if (before === after) return wanted
  const left = (wanted.get(before) ?? 0) - 1
  if (left > 0) wanted.set(before, left)
  else wanted.delete(before)
  if (after !== '') wanted.set(after, (wanted.get(after) ?? 0) + 1)
  return wanted
}

function refresh(
  side: ConsumerSideState,
  groupId: string,
  { regexes, atMs }: { readonly regexes: readonly string[]; readonly atMs: number },
): Outcome<GroupRecord, void> {
  const group = side.shard.groups.get(groupId)
  if (!(group instanceof ConsumerGroup)) return answer(undefined)
  const records: GroupRecord[] = []
  const subscriptions = new Subscriptions(group.subscriptions)
  let moves = false
  for (const [regex, resolved] of resolveRegexes(regexes, side.shard.context.topics, atMs)) {
    if (group.subscriptions.subscribersOf(regex) === 0) continue
    const before = group.resolvedRegexes.get(regex)
    if (!sameSet(before?.topics ?? UNRESOLVED_TOPICS, resolved.topics)) moves = true
    subscriptions.replaceResolved(before, resolved)
    records.push(regexRecord(groupId, regex, resolved))
  }
  const metadataHash = side.hashes.ofGroup(subscriptions.topicNames())
  if (moves || metadataHash !== group.metadataHash) {
    const groupEpoch = group.groupEpoch + 1
    records.push(groupRecord(groupId, groupEpoch, metadataHash))
    group.refreshAt = { deadlineMs: atMs + REFRESH_EPOCH_MS, epoch: groupEpoch }
  }
  group.regexesResolvedAt = side.shard.context.topics.version
  return { records, response: undefined }
}
