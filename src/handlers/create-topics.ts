/**
 * CreateTopics v2-v7: creates topics, or only checks with validateOnly. v4 takes -1 for the broker's counts,
 * v5 returns the counts and all settings (KIP-525), v7 the topic id (KIP-516).
 * Deviation: Kafka 4.4 answers when the topic is in its metadata; this broker answers when every partition can
 * be produced to, because idempotent producers that start in between have lost records there. If that takes
 * longer than timeoutMs the answer is REQUEST_TIMED_OUT (7), and the topic appears later. From v6 on a quota on topic
 * changes refuses (KIP-599), also with validateOnly.
 */
import { ErrorCode } from '../protocol/error-codes.js'
import type {
  CreateTopicsRequest,
  CreateTopicsResponse,
} from '../protocol/messages/create-topics.js'
import {
  type CreatedTopic,
  type NewTopic,
  type TopicProblem,
  isTopicProblem,
} from '../replication/new-topic.js'
import type { ApiHandler } from './api-handler.js'
import { type Distinct, distinctByName } from './distinct-names.js'
import type { MutationAllowance, MutationQuotas } from './quota-services.js'
import type { HandlerSettings, TopicLifecycle } from './services.js'
import { THROTTLED } from './throttled.js'
import { withinTime } from './within-time.js'

const STRICT_QUOTA_SINCE = 6
/** Kafka's bound for one request. */
const NEW_PARTITIONS_MAX = 10_000
const TOO_MANY_PARTITIONS: TopicProblem = {
  errorCode: ErrorCode.POLICY_VIOLATION,
  errorMessage: 'Excessively large number of partitions per request.',
}

type Requested = CreateTopicsRequest['topics'][number]

export interface CreateTopicsParts {
  readonly lifecycle: TopicLifecycle
  readonly settings: HandlerSettings
  readonly mutationQuotas: MutationQuotas
}

export function createTopicsHandler({
  lifecycle,
  settings,
  mutationQuotas,
}: CreateTopicsParts): ApiHandler<typeof CreateTopicsRequest, typeof CreateTopicsResponse> {
  return {
    async handle(request, { apiVersion, clientId }) {
      const distinct = distinctByName(request.topics)
      if (partitionsOf(distinct, settings.numPartitions) > NEW_PARTITIONS_MAX) {
        const topics = request.topics.map(({ name }) => refused(name, TOO_MANY_PARTITIONS))
        return { throttleTimeMs: 0, topics }
      }
      const quota = mutationQuotas.allowanceOf(clientId, apiVersion >= STRICT_QUOTA_SINCE)
      const results = await Promise.all(
        distinct.map(topic => createOne(topic, request, lifecycle, quota)),
      )
      return { throttleTimeMs: quota.throttleTimeMs, topics: results }
    },
    fail: failure,
  }
}

function failure(request: CreateTopicsRequest, problem: TopicProblem) {
  const topics = distinctByName(request.topics).map(({ entry }) => refused(entry.name, problem))
  return { throttleTimeMs: 0, topics }
}

/** The partitions that the whole request asks for, without names that are refused for their repetition. */
function partitionsOf(
  topics: readonly Distinct<Requested>[],
  defaultNumPartitions: number,
): number {
  const counts = topics.map(({ entry: { assignments, numPartitions }, isRepeated }) => {
    if (isRepeated) return 0
    if (assignments.length > 0) return assignments.length
    return numPartitions === -1 ? defaultNumPartitions : Math.max(numPartitions, 0)
  })
  return counts.reduce((sum, count) => sum + count, 0)
}

async function createOne(
  { entry: topic, isRepeated }: Distinct<Requested>,
  request: CreateTopicsRequest,
  lifecycle: TopicLifecycle,
  quota: MutationAllowance,
) {
  if (isRepeated) {
    return refused(topic.name, {
      errorCode: ErrorCode.INVALID_REQUEST,
      errorMessage: 'Duplicate topic name.',
    })
  }
  const wanted: NewTopic = topic
  if (quota.isLimited) {
    const checked = lifecycle.validate(wanted)
    if (isTopicProblem(checked)) return refused(topic.name, checked)
    if (!quota.take(checked.numPartitions)) return refused(topic.name, THROTTLED)
  }
  const creation = request.validateOnly
    ? lifecycle.validate(wanted)
    : withinTime(lifecycle.create(wanted), request.timeoutMs, {
        errorCode: ErrorCode.REQUEST_TIMED_OUT,
        errorMessage: 'The topic was not ready in time; it may still appear.',
      })
  const result = await creation
  return isTopicProblem(result) ? refused(topic.name, result) : created(topic.name, result)
}

function created(name: string, topic: CreatedTopic) {
  return {
    name,
    topicId: topic.topicId,
    errorCode: ErrorCode.NONE,
    errorMessage: null,
    numPartitions: topic.numPartitions,
    replicationFactor: topic.replicationFactor,
    configs: topic.configs,
  }
}

function refused(name: string, { errorCode, errorMessage }: TopicProblem) {
  return { name, errorCode, errorMessage, configs: [] }
}
