/**
 * OffsetFetch v1-v10: the committed offsets of groups, one below v8. From v2 null topics mean all, from v10 topics go
 * by id. v1 has no error of its own: it stands at each partition.
 */
import { ZERO_UUID } from '../base/uuid.js'
import type { FetchAnswer, WantedTopic } from '../coordinator/group/offsets/fetch-offsets.js'
import { ErrorCode } from '../protocol/error-codes.js'
import type { OffsetFetchRequest, OffsetFetchResponse } from '../protocol/messages/offset-fetch.js'
import type { ApiHandler } from './api-handler.js'
import type { GroupServices } from './group-services.js'
import type { TopicsView } from './services.js'

const FIRST_VERSION_WITH_ERROR = 2
const FIRST_VERSION_WITH_GROUPS = 8
const FIRST_VERSION_WITH_IDS = 10

type RequestGroup = OffsetFetchRequest['groups'][number]

export function offsetFetchHandler(
  { coordinator }: GroupServices,
  topics: TopicsView,
): ApiHandler<typeof OffsetFetchRequest, typeof OffsetFetchResponse> {
  const fetchGroup = async (group: RequestGroup, requireStable: boolean, byId: boolean) => {
    const wanted = group.topics?.map(topic => resolve(topic, byId, topics)) ?? null
    const unknown = wanted?.filter(({ isUnknown }) => isUnknown) ?? []
    const { groupId, memberId, memberEpoch } = group
    const answer = await coordinator.fetchOffsets({
      ...{ groupId, memberId, memberEpoch, requireStable },
      topics: wanted?.filter(({ isUnknown }) => !isUnknown) ?? null,
    })
    if (answer.errorCode !== ErrorCode.NONE) return answer
    const found = byId ? withIds(answer, topics) : answer.topics
    return { ...answer, topics: [...found, ...unknown.map(refused)] }
  }
  return {
    async handle(request, { apiVersion }) {
      const { requireStable } = request
      if (apiVersion < FIRST_VERSION_WITH_GROUPS) {
        const group = singleGroup(request)
        return single(group, await fetchGroup(group, requireStable, false), apiVersion)
      }
      const byId = apiVersion >= FIRST_VERSION_WITH_IDS
      const groups = await Promise.all(
        request.groups.map(async group => {
          const answer = await fetchGroup(group, requireStable, byId)
          return { groupId: group.groupId, ...mutable(answer) }
        }),
      )
      return { groups }
    },
    fail(request, { errorCode }, { apiVersion }) {
      const failed = { errorCode, topics: [] }
      if (apiVersion < FIRST_VERSION_WITH_GROUPS) {
        return single(singleGroup(request), failed, apiVersion)
      }
      return { groups: request.groups.map(({ groupId }) => ({ groupId, ...failed })) }
    },
  }
}

interface ResolvedTopic extends WantedTopic {
  readonly isUnknown: boolean
}

function resolve(
  { name, topicId, partitionIndexes }: NonNullable<RequestGroup['topics']>[number],
  byId: boolean,
  topics: TopicsView,
): ResolvedTopic {
  const topic = byId ? topics.topicById(topicId) : topics.topic(name)
  // By name also topics that are gone: their offsets may still be there.
  if (topic === undefined) {
    return { name, topicId: byId ? topicId : ZERO_UUID, partitionIndexes, isUnknown: byId }
  }
  return { name: topic.name, topicId: topic.topicId, partitionIndexes, isUnknown: false }
}

function refused({ name, topicId, partitionIndexes }: WantedTopic): FetchAnswer['topics'][number] {
  const nothing = { committedOffset: -1n, committedLeaderEpoch: -1, metadata: '' }
  return {
    name,
    topicId,
    partitions: partitionIndexes.map(partitionIndex => ({
      partitionIndex,
      ...nothing,
      errorCode: ErrorCode.UNKNOWN_TOPIC_ID,
    })),
  }
}

/** Topics without an id cannot be told. */
function withIds({ topics: answered }: FetchAnswer, topics: TopicsView): FetchAnswer['topics'] {
  return answered.flatMap(topic => {
    if (topic.topicId !== ZERO_UUID) return [topic]
    const found = topics.topic(topic.name)
    return found === undefined ? [] : [{ ...topic, topicId: found.topicId }]
  })
}

/** The group of a request below v8. */
function singleGroup({ groupId, topics }: OffsetFetchRequest): RequestGroup {
  const wanted = topics?.map(topic => ({ ...topic, topicId: ZERO_UUID })) ?? null
  return { groupId, memberId: null, memberEpoch: -1, topics: wanted }
}

function single({ topics: wanted }: RequestGroup, answer: FetchAnswer, apiVersion: number) {
  const { errorCode } = answer
  if (apiVersion >= FIRST_VERSION_WITH_ERROR || errorCode === ErrorCode.NONE) return mutable(answer)
  const nothing = { committedOffset: -1n, committedLeaderEpoch: -1, metadata: '', errorCode }
  const topics = (wanted ?? []).map(({ name, partitionIndexes }) => ({
    name,
    partitions: partitionIndexes.map(partitionIndex => ({ partitionIndex, ...nothing })),
  }))
  return { errorCode, topics }
}

function mutable({ errorCode, topics }: FetchAnswer) {
  return { errorCode, topics: topics.map(topic => ({ ...topic })) }
}
