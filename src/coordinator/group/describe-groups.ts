/** What DescribeGroups and ListGroups tell, and DeleteGroups. */
import type { InferInput } from '../../protocol/schema/message.js'
import { ErrorCode } from '../../protocol/error-codes.js'
import type { DescribeGroupsResponse } from '../../protocol/messages/describe-groups.js'
import { type Outcome, answer } from '../runtime/operation.js'
import { ClassicGroup } from './classic/classic-group.js'
import { EMPTY_BYTES } from './classic/classic-member.js'
import type { GroupShard } from './group-shard.js'
import type { Group, GroupType } from './group.js'
import { offsetTombstones } from './offsets/delete-offsets.js'
import type { GroupRecord } from './records/group-record.js'

export type DescribedGroup = InferInput<typeof DescribeGroupsResponse>['groups'][number]

/** A classic group; null: there is none of the name. */
export function describeClassicGroup(shard: GroupShard, groupId: string): DescribedGroup | null {
  const group = shard.groups.get(groupId)
  if (!(group instanceof ClassicGroup)) return null
  const isStable = group.state === 'Stable'
  const protocol = group.protocolName ?? ''
  return {
    errorCode: ErrorCode.NONE,
    groupId,
    groupState: group.stateName,
    protocolType: group.protocolType,
    // Between generations nobody has a protocol or an assignment.
    protocolData: isStable ? protocol : '',
    members: Array.from(group.members, member => ({
      memberId: member.memberId,
      groupInstanceId: member.groupInstanceId,
      clientId: member.clientId,
      clientHost: member.clientHost,
      memberMetadata: isStable ? member.metadataOf(protocol) : EMPTY_BYTES,
      memberAssignment: isStable ? member.assignment : EMPTY_BYTES,
    })),
  }
}

/** In lower case; empty: all. */
export interface GroupFilter {
  readonly states: ReadonlySet<string>
  readonly types: ReadonlySet<string>
}

export interface ListedGroup {
  readonly groupId: string
  readonly protocolType: string
  readonly groupState: string
  readonly groupType: GroupType
}

export function listGroups(shard: GroupShard, { states, types }: GroupFilter): ListedGroup[] {
  const matches = ({ stateName, type }: Group) =>
    (states.size === 0 || states.has(stateName.toLowerCase())) &&
    (types.size === 0 || types.has(type))
  return [...shard.groups.values()].filter(matches).map(group => ({
    groupId: group.groupId,
    protocolType: group.protocolType,
    groupState: group.stateName,
    groupType: group.type,
  }))
}

/** Deletes a group and its offsets. Answers NONE or why it stays. */
export function deleteGroup(shard: GroupShard, groupId: string): Outcome<GroupRecord, number> {
  const group = shard.groups.get(groupId)
  const refusal = group?.judgeDelete() ?? ErrorCode.GROUP_ID_NOT_FOUND
  if (group === undefined || refusal !== ErrorCode.NONE) return answer(refusal)
  const records = [...offsetTombstones(shard, groupId), ...group.tombstones()]
  return { records, response: ErrorCode.NONE, atomic: false }
}
