/**
 * Metadata v0-v13: brokers, topics, leaders, and creation of missing topics. v0: an empty list means all topics;
 * from v1 null means all and an empty list none. v4 lets the client forbid creation, v8-v10 cluster and v8+ topic
 * operations, v10 topic ids (KIP-516), v12 asks by id; v10 and v11 with an id or without a name get 42, as in
 * Kafka, and so does an entry without both (Kafka: -1). A request that creates a topic answers it with 3, as KRaft
 * brokers do, once the topic serves.
 */
import { type Uuid, ZERO_UUID } from '../base/uuid.js'
import { ErrorCode } from '../protocol/error-codes.js'
import type { MetadataRequest, MetadataResponse } from '../protocol/messages/metadata.js'
import type { InferInput } from '../protocol/schema/message.js'
import { isTopicProblem } from '../replication/new-topic.js'
import { topicNameViolation } from '../metadata/topic-name.js'
import type { ApiHandler, RequestContext } from './api-handler.js'
import {
  CLUSTER_OPERATIONS,
  OPERATIONS_NOT_ASKED,
  TOPIC_OPERATIONS,
} from './authorized-operations.js'
import { describePartition, describeUnknownTopic } from './described-topic.js'
import type {
  ClusterView,
  HandlerSettings,
  TopicLifecycle,
  TopicView,
  TopicsView,
} from './services.js'
import { withinTime } from './within-time.js'

/** Ids and null names are understood from here on; 10 and 11 have the fields, but refuse them. */
const FIRST_VERSION_WITH_IDS = 12
/** How long an answer waits for the topics it creates; clients ask again anyway. */
const AUTO_CREATE_WAIT_MS = 5000

/** Done, or what Kafka notices only after it has answered: the name exists by now, or collides with another. */
const ANSWERED_AS_UNKNOWN: readonly number[] = [
  ErrorCode.NONE,
  ErrorCode.TOPIC_ALREADY_EXISTS,
  ErrorCode.INVALID_TOPIC_EXCEPTION,
]

export interface MetadataParts {
  readonly cluster: ClusterView
  readonly topics: TopicsView
  readonly lifecycle: TopicLifecycle
  readonly settings: HandlerSettings
}

type Response = InferInput<typeof MetadataResponse>
type ResponseTopic = Response['topics'][number]

export function metadataHandler(
  parts: MetadataParts,
): ApiHandler<typeof MetadataRequest, typeof MetadataResponse> {
  return {
    handle(request, context) {
      if (hasUnsupportedIds(request, context.apiVersion)) {
        return failure(request, ErrorCode.INVALID_REQUEST)
      }
      const { found, missing } = lookUp(request, context.apiVersion, parts.topics)
      const known = found.map(topic => describeTopic(topic))
      const mayCreate = parts.settings.autoCreateTopicsEnable && request.allowAutoTopicCreation
      const complete = (unknown: ResponseTopic[]) =>
        responseOf([...known, ...unknown], request, context, parts.cluster)
      if (missing.names.length === 0 || !mayCreate) {
        return complete([...missing.ids, ...missing.names.map(name => describeUnknownTopic(name))])
      }
      return createMissing(missing.names, parts.lifecycle).then(created =>
        complete([...missing.ids, ...created]),
      )
    },
    fail: (request, { errorCode }) => failure(request, errorCode),
  }
}

function hasUnsupportedIds({ topics }: MetadataRequest, apiVersion: number): boolean {
  if (topics === null) return false
  if (apiVersion >= FIRST_VERSION_WITH_IDS) {
    return topics.some(({ name, topicId }) => name === null && topicId === ZERO_UUID)
  }
  return topics.some(({ name, topicId }) => name === null || topicId !== ZERO_UUID)
}

interface LookedUp {
  readonly found: readonly TopicView[]
  readonly missing: { readonly ids: ResponseTopic[]; readonly names: string[] }
}

function lookUp(request: MetadataRequest, apiVersion: number, topics: TopicsView): LookedUp {
  const found: TopicView[] = []
  const missing: LookedUp['missing'] = { ids: [], names: [] }
  const wantsAll = request.topics === null || (apiVersion === 0 && request.topics.length === 0)
  if (wantsAll) {
    for (const name of topics.topicNames()) {
      const topic = topics.topic(name)
      if (topic !== undefined) found.push(topic)
    }
    return { found, missing }
  }
  const ids = new Set(request.topics!.map(({ topicId }) => topicId))
  ids.delete(ZERO_UUID)
  // As in Kafka: one id makes it a request by ids, and the names beside it are not looked at.
  if (ids.size > 0) {
    for (const id of ids) {
      const topic = topics.topicById(id)
      if (topic === undefined) missing.ids.push(unknownId(id))
      else found.push(topic)
    }
    return { found, missing }
  }
  for (const name of new Set(request.topics!.map(topic => topic.name ?? ''))) {
    const topic = topics.topic(name)
    if (topic === undefined) missing.names.push(name)
    else found.push(topic)
  }
  return { found, missing }
}

async function createMissing(names: string[], lifecycle: TopicLifecycle): Promise<ResponseTopic[]> {
  return Promise.all(
    names.map(async name => {
      if (topicNameViolation(name) !== undefined) return describeUnknownTopic(name)
      const wanted = {
        name,
        numPartitions: -1,
        replicationFactor: -1,
        assignments: [],
        configs: [],
      }
      const result = await withinTime(lifecycle.create(wanted), AUTO_CREATE_WAIT_MS, null)
      const problem = result !== null && isTopicProblem(result) ? result.errorCode : ErrorCode.NONE
      return ANSWERED_AS_UNKNOWN.includes(problem)
        ? describeUnknownTopic(name)
        : { ...describeUnknownTopic(name), errorCode: problem }
    }),
  )
}

function responseOf(
  topics: ResponseTopic[],
  request: MetadataRequest,
  context: RequestContext,
  cluster: ClusterView,
): Response {
  const asked = request.includeTopicAuthorizedOperations
  return {
    throttleTimeMs: 0,
    brokers: cluster.brokers(context.listenerName).filter(broker => !broker.isFenced),
    clusterId: cluster.clusterId,
    controllerId: cluster.controllerId,
    topics: asked
      ? topics.map(topic =>
          topic.errorCode === ErrorCode.UNKNOWN_TOPIC_ID
            ? topic
            : { ...topic, topicAuthorizedOperations: TOPIC_OPERATIONS },
        )
      : topics,
    clusterAuthorizedOperations: request.includeClusterAuthorizedOperations
      ? CLUSTER_OPERATIONS
      : OPERATIONS_NOT_ASKED,
  }
}

function describeTopic(topic: TopicView): ResponseTopic {
  return {
    errorCode: ErrorCode.NONE,
    name: topic.name,
    topicId: topic.topicId,
    isInternal: topic.isInternal,
    partitions: topic.partitions.map(describePartition),
  }
}

function unknownId(topicId: Uuid): ResponseTopic {
  return { errorCode: ErrorCode.UNKNOWN_TOPIC_ID, name: null, topicId, partitions: [] }
}

function failure(request: MetadataRequest, errorCode: number): Response {
  const topics = (request.topics ?? []).map(({ name, topicId }) => ({
    errorCode,
    name: name ?? '',
    topicId,
    isInternal: false,
    partitions: [],
  }))
  return { throttleTimeMs: 0, brokers: [], topics, errorCode }
}
