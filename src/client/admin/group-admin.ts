/** Groups: what there is, who is in them, and leaving them. Their offsets: group-offsets.ts. */
import { ErrorCode } from '../../protocol/error-codes.js'
import {
  ConsumerGroupDescribeRequest,
  ConsumerGroupDescribeResponse,
} from '../../protocol/messages/consumer-group-describe.js'
import { ConsumerProtocolAssignment } from '../../protocol/messages/consumer-protocol.js'
import { DeleteGroupsRequest, DeleteGroupsResponse } from '../../protocol/messages/delete-groups.js'
import {
  DescribeGroupsRequest,
  DescribeGroupsResponse,
} from '../../protocol/messages/describe-groups.js'
import { LeaveGroupRequest, LeaveGroupResponse } from '../../protocol/messages/leave-group.js'
import { ListGroupsRequest, ListGroupsResponse } from '../../protocol/messages/list-groups.js'
import { decodeVersioned } from '../../protocol/versioned-message.js'
import type { CallOptions, Cluster } from '../cluster/cluster.js'
import type { BrokerNode } from '../cluster/metadata.js'
import { KafkaError, brokerError, throwIfError } from '../errors.js'
import { GroupOffsets } from './group-offsets.js'
import { perItem } from './per-item.js'
import type { TopicPartition } from '../consumer/topic-partition.js'

const LIST = { request: ListGroupsRequest, response: ListGroupsResponse }
const DESCRIBE = { request: DescribeGroupsRequest, response: DescribeGroupsResponse }
const DESCRIBE_CONSUMER = {
  request: ConsumerGroupDescribeRequest,
  response: ConsumerGroupDescribeResponse,
}
const DELETE = { request: DeleteGroupsRequest, response: DeleteGroupsResponse }
const LEAVE = { request: LeaveGroupRequest, response: LeaveGroupResponse }

const BATCHED_LEAVE_SINCE = 3

/** One group as a broker lists it. */
export interface ListedGroup {
  readonly groupId: string
  /** `consumer` for consumers; empty for groups that only hold offsets. */
  readonly protocolType: string
  /** Kafka's name, such as `Stable` or `Empty`; empty where the broker does not tell. */
  readonly state: string
  /** `classic`, `consumer`, ...; empty where the broker does not tell. */
  readonly type: string
}

/** One member of a group. */
export interface GroupMember {
  readonly memberId: string
  /** group.instance.id of a static member. */
  readonly groupInstanceId: string | null
  readonly clientId: string
  readonly clientHost: string
  readonly assignment: readonly TopicPartition[]
  /** What it is to own at the end of the rebalance; only in groups of type `consumer`. */
  readonly targetAssignment: readonly TopicPartition[] | null
  /** -1 in classic groups. */
  readonly memberEpoch: number
}

/** One group in full. */
export interface GroupDescription {
  readonly groupId: string
  readonly type: 'classic' | 'consumer'
  readonly state: string
  readonly protocolType: string
  /** The assignor in use; empty if there is none yet. */
  readonly assignor: string
  /** -1 in classic groups. */
  readonly groupEpoch: number
  readonly members: readonly GroupMember[]
  readonly coordinator: BrokerNode
}

/** Which member is to leave: by its static id, or by its member id. */
export interface MemberToRemove {
  readonly groupInstanceId?: string
  readonly memberId?: string
}

/** See `Admin.groups`. */
export class GroupAdmin extends GroupOffsets {
  readonly #cluster: Cluster

  /** @internal */
  constructor(cluster: Cluster) {
    super(cluster)
    this.#cluster = cluster
  }

  /**
   * All groups of the cluster, by broker and then as the broker lists them.
   *
   * @example
   * const stable = await admin.groups.list({ states: ['Stable'] })
   */
  async list(
    options: CallOptions & {
      readonly states?: readonly string[]
      readonly types?: readonly string[]
    } = {},
  ): Promise<ListedGroup[]> {
    const { states = [], types = [] } = options
    const lists = await this.#cluster.retrying(
      'Listing groups',
      async () => {
        if (this.#cluster.metadata.version === 0) await this.#cluster.refresh()
        return Promise.all(
          this.#cluster.metadata.brokers.map(async node => {
            const answer = await this.#cluster.request(node, LIST, {
              statesFilter: [...states],
              typesFilter: [...types],
            })
            throwIfError(answer.errorCode, `Listing groups of broker ${node.nodeId}`)
            return answer.groups
          }),
        )
      },
      options,
    )
    return lists.flat().map(({ groupId, protocolType, groupState, groupType }) => ({
      groupId,
      protocolType,
      state: groupState,
      type: groupType,
    }))
  }

  /**
   * Groups with their members, by id. Rejects with GROUP_ID_NOT_FOUND for one that does not exist.
   *
   * @example
   * const { members } = (await admin.groups.describe(['billing'])).get('billing')!
   */
  describe(
    groupIds: readonly string[],
    options: CallOptions = {},
  ): Promise<Map<string, GroupDescription>> {
    return perItem(
      this.#cluster,
      'Describing groups',
      groupIds,
      id => id,
      async pending =>
        new Map(
          await Promise.all(
            pending.map(async id => [id, await failureOr(() => this.#describe(id))] as const),
          ),
        ),
      options,
    )
  }

  /**
   * Deletes groups that have no members, with their offsets. Rejects with NON_EMPTY_GROUP, GROUP_ID_NOT_FOUND.
   *
   * @example
   * await admin.groups.delete(['billing'])
   */
  async delete(groupIds: readonly string[], options: CallOptions = {}): Promise<void> {
    const ask = async (id: string): Promise<undefined> => {
      const answer = await this.#cluster.requestCoordinator(id, DELETE, { groupsNames: [id] })
      const { errorCode, errorMessage } = answer.results[0]!
      this.#throwIfError(id, errorCode, `Deleting group "${id}"`, errorMessage)
    }
    await perItem(
      this.#cluster,
      'Deleting groups',
      groupIds,
      id => id,
      async pending =>
        new Map(
          await Promise.all(pending.map(async id => [id, await failureOr(() => ask(id))] as const)),
        ),
      options,
    )
  }

  /**
   * Makes members leave a group, static ones as well; without a list, all that are in it now.
   *
   * @example
   * await admin.groups.removeMembers('billing', [{ groupInstanceId: 'host-1' }])
   */
  async removeMembers(
    groupId: string,
    members?: readonly MemberToRemove[],
    options: CallOptions & { readonly reason?: string } = {},
  ): Promise<void> {
    const leaving = members ?? (await this.describe([groupId], options)).get(groupId)!.members
    if (leaving.length === 0) return
    await this.#cluster.retrying(
      `Removing members of group "${groupId}"`,
      async () => {
        const answer = await this.#cluster.requestCoordinator(groupId, LEAVE, version => {
          if (version < BATCHED_LEAVE_SINCE) {
            throw new KafkaError(ErrorCode.UNSUPPORTED_VERSION)
          }
          return {
            groupId,
            members: leaving.map(({ memberId = '', groupInstanceId = null }) => ({
              // A static member is named by its id alone, whatever member id it has now.
              memberId: groupInstanceId === null ? memberId : '',
              groupInstanceId,
              reason: options.reason ?? 'removed by an administrator',
            })),
          }
        })
        this.#throwIfError(groupId, answer.errorCode, `Group "${groupId}"`)
        for (const { errorCode, memberId, groupInstanceId } of answer.members) {
          throwIfError(errorCode, `Member ${groupInstanceId ?? memberId} of group "${groupId}"`)
        }
      },
      options,
    )
  }

  async #describe(groupId: string): Promise<GroupDescription> {
    const coordinator = await this.#cluster.coordinator('group', groupId)
    const connection = await this.#cluster.connection(coordinator, 'coordinator')
    if (connection.versionOf(ConsumerGroupDescribeRequest) !== undefined) {
      const modern = await this.#describeConsumerGroup(groupId, coordinator)
      if (modern !== null) return modern
    }
    const answer = await this.#cluster.requestCoordinator(groupId, DESCRIBE, { groups: [groupId] })
    const group = answer.groups[0]!
    this.#throwIfError(groupId, group.errorCode, `Group "${groupId}"`, group.errorMessage)
    if (group.groupState === 'Dead') {
      throw brokerError(ErrorCode.GROUP_ID_NOT_FOUND, `Group "${groupId}"`)
    }
    return {
      groupId,
      type: 'classic',
      state: group.groupState,
      protocolType: group.protocolType,
      assignor: group.protocolData,
      groupEpoch: -1,
      coordinator,
      members: group.members.map(member => ({
        memberId: member.memberId,
        groupInstanceId: member.groupInstanceId,
        clientId: member.clientId,
        clientHost: member.clientHost,
        assignment: classicAssignment(group.protocolType, member.memberAssignment),
        targetAssignment: null,
        memberEpoch: -1,
      })),
    }
  }

  /** null if it is not a group of this type. */
  async #describeConsumerGroup(
    groupId: string,
    coordinator: BrokerNode,
  ): Promise<GroupDescription | null> {
    const answer = await this.#cluster.requestCoordinator(groupId, DESCRIBE_CONSUMER, {
      groupIds: [groupId],
      includeAuthorizedOperations: false,
    })
    const group = answer.groups[0]!
    // GROUP_ID_NOT_FOUND also says that the group is a classic one.
    if (group.errorCode === ErrorCode.GROUP_ID_NOT_FOUND) return null
    if (group.errorCode === ErrorCode.UNSUPPORTED_VERSION) return null
    this.#throwIfError(groupId, group.errorCode, `Group "${groupId}"`, group.errorMessage)
    return {
      groupId,
      type: 'consumer',
      state: group.groupState,
      protocolType: 'consumer',
      assignor: group.assignorName,
      groupEpoch: group.groupEpoch,
      coordinator,
      members: group.members.map(member => ({
        memberId: member.memberId,
        groupInstanceId: member.instanceId,
        clientId: member.clientId,
        clientHost: member.clientHost,
        assignment: namedPartitions(member.assignment),
        targetAssignment: namedPartitions(member.targetAssignment),
        memberEpoch: member.memberEpoch,
      })),
    }
  }

  #throwIfError(groupId: string, errorCode: number, subject: string, detail?: string | null): void {
    if (errorCode === ErrorCode.NONE) return
    const error = brokerError(errorCode, subject, detail)
    this.#cluster.noteGroupError(groupId, error)
    throw error
  }
}

/** The KafkaError that the call rejects with, or its result. */
async function failureOr<R>(call: () => Promise<R>): Promise<R | KafkaError> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof KafkaError) return error
    throw error
  }
}

function classicAssignment(protocolType: string, bytes: Buffer): TopicPartition[] {
  if (protocolType !== 'consumer' || bytes.length === 0) return []
  const { assignedPartitions } = decodeVersioned(ConsumerProtocolAssignment, bytes)
  return assignedPartitions.flatMap(({ topic, partitions }) =>
    partitions.map(partition => ({ topic, partition })),
  )
}

function namedPartitions(assignment: {
  readonly topicPartitions: readonly { readonly topicName: string; readonly partitions: number[] }[]
}): TopicPartition[] {
  return assignment.topicPartitions.flatMap(({ topicName, partitions }) =>
    partitions.map(partition => ({ topic: topicName, partition })),
  )
}
