/**
 * DeleteTopics v1-v6: deletes topics by name or, from v6, by id (KIP-516). v5 adds error messages. The topic is
 * gone for clients at once; its files are unlinked file.delete.delay.ms later. With delete.topic.enable=false
 * everything is refused: 73, or 42 below v3. From v5 on a quota on topic changes refuses (KIP-599).
 * Kafka shuffles its results; these keep the order of the request.
 */
import { type Uuid, ZERO_UUID } from '../base/uuid.js'
import { ErrorCode } from '../protocol/error-codes.js'
import type {
  DeleteTopicsRequest,
  DeleteTopicsResponse,
} from '../protocol/messages/delete-topics.js'
import type { TopicProblem } from '../replication/new-topic.js'
import type { ApiHandler } from './api-handler.js'
import type { MutationAllowance, MutationQuotas } from './quota-services.js'
import type { HandlerSettings, TopicLifecycle, TopicsView } from './services.js'
import { THROTTLED } from './throttled.js'
import { withinTime } from './within-time.js'

const STRICT_QUOTA_SINCE = 5
const FIRST_VERSION_WITH_IDS = 6
const FIRST_VERSION_WITH_DELETION_DISABLED = 3

export interface DeleteTopicsParts {
  readonly topics: TopicsView
  readonly lifecycle: TopicLifecycle
  readonly settings: HandlerSettings
  readonly mutationQuotas: MutationQuotas
}

export function deleteTopicsHandler(
  parts: DeleteTopicsParts,
): ApiHandler<typeof DeleteTopicsRequest, typeof DeleteTopicsResponse> {
  return {
    async handle(request, { apiVersion, clientId }) {
      const wanted = wantedOf(request, apiVersion)
      if (!parts.settings.deleteTopicEnable) {
        const problem = deletionDisabled(apiVersion)
        return { throttleTimeMs: 0, responses: wanted.map(topic => ({ ...topic, ...problem })) }
      }
      const quota = parts.mutationQuotas.allowanceOf(clientId, apiVersion >= STRICT_QUOTA_SINCE)
      const responses = await Promise.all(
        resolve(wanted, parts.topics).map(async target => {
          const refusal = target.problem ?? exceeded(quota, target.name, parts.topics)
          const problem = refusal ?? (await remove(target.name, request.timeoutMs, parts))
          return { name: target.name, topicId: target.topicId, ...(problem ?? DELETED) }
        }),
      )
      return { throttleTimeMs: quota.throttleTimeMs, responses }
    },
    fail: (request, failure, { apiVersion }) => ({
      throttleTimeMs: 0,
      responses: wantedOf(request, apiVersion).map(topic => ({ ...topic, ...failure })),
    }),
  }
}

const DELETED: TopicProblem = { errorCode: ErrorCode.NONE, errorMessage: null }

interface Wanted {
  readonly name: string | null
  readonly topicId: Uuid
}

interface Target extends Wanted {
  readonly problem: TopicProblem | null
}

function wantedOf(request: DeleteTopicsRequest, apiVersion: number): Wanted[] {
  if (apiVersion >= FIRST_VERSION_WITH_IDS) return request.topics
  return request.topicNames.map(name => ({ name, topicId: ZERO_UUID }))
}

/** Names and ids to topics; each topic is deleted once, and an ambiguous wish refused, as in Kafka. */
function resolve(wanted: readonly Wanted[], topics: TopicsView): Target[] {
  const names = countOf(wanted.map(({ name }) => name))
  const ids = countOf(wanted.map(({ topicId }) => (topicId === ZERO_UUID ? null : topicId)))
  const answered = new Set<string>()
  const targets: Target[] = []
  for (const wish of wanted) {
    const { name, topicId } = wish
    const key = `${name ?? ''}/${topicId}`
    if (answered.has(key)) continue
    answered.add(key)
    targets.push(targetOf(wish, { names, ids, topics }))
  }
  return refuseNamedAndIdentified(targets)
}

interface Counts {
  readonly names: ReadonlyMap<string, number>
  readonly ids: ReadonlyMap<string, number>
  readonly topics: TopicsView
}

function targetOf({ name, topicId }: Wanted, { names, ids, topics }: Counts): Target {
  const refuse = (errorCode: number, errorMessage: string): Target => ({
    name,
    topicId,
    problem: { errorCode, errorMessage },
  })
  const hasId = topicId !== ZERO_UUID
  if (name !== null && hasId) {
    return refuse(ErrorCode.INVALID_REQUEST, 'You may not specify both topic name and topic id.')
  }
  if (name !== null) {
    if (names.get(name)! > 1) return refuse(ErrorCode.INVALID_REQUEST, 'Duplicate topic name.')
    const topic = topics.topic(name)
    if (topic !== undefined) return { name, topicId: topic.topicId, problem: null }
    return refuse(
      ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
      'This server does not host this topic-partition.',
    )
  }
  if (!hasId) return refuse(ErrorCode.INVALID_REQUEST, 'Neither topic name nor id were specified.')
  if (ids.get(topicId)! > 1) return refuse(ErrorCode.INVALID_REQUEST, 'Duplicate topic id.')
  const topic = topics.topicById(topicId)
  if (topic !== undefined) return { name: topic.name, topicId, problem: null }
  return refuse(ErrorCode.UNKNOWN_TOPIC_ID, 'This server does not host this topic ID.')
}

/** A topic that is wanted by its name and by its id in one request is not deleted. */
function refuseNamedAndIdentified(targets: readonly Target[]): Target[] {
  const wantedTwice = countOf(targets.map(({ name, problem }) => (problem === null ? name : null)))
  return targets.map(target => {
    if (target.problem !== null || target.name === null) return target
    if (wantedTwice.get(target.name)! < 2) return target
    const errorMessage = 'The provided topic name maps to an ID that was already supplied.'
    return { ...target, problem: { errorCode: ErrorCode.INVALID_REQUEST, errorMessage } }
  })
}

function countOf(keys: readonly (string | null)[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const key of keys) if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

function exceeded(quota: MutationAllowance, name: string | null, topics: TopicsView) {
  if (!quota.isLimited) return null
  const partitions = topics.topic(name ?? '')?.partitions.length ?? 0
  return quota.take(partitions) ? null : THROTTLED
}

function remove(name: string | null, timeoutMs: number, parts: DeleteTopicsParts) {
  return withinTime<TopicProblem | null, TopicProblem>(
    parts.lifecycle.delete(name ?? ''),
    timeoutMs,
    {
      errorCode: ErrorCode.REQUEST_TIMED_OUT,
      errorMessage: 'The topic was not deleted in time; it will be.',
    },
  )
}

function deletionDisabled(apiVersion: number): TopicProblem {
  return {
    errorCode:
      apiVersion < FIRST_VERSION_WITH_DELETION_DISABLED
        ? ErrorCode.INVALID_REQUEST
        : ErrorCode.TOPIC_DELETION_DISABLED,
    errorMessage: 'Topic deletion is disabled.',
  }
}
