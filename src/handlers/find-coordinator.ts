/**
 * FindCoordinator v0-v6: which broker coordinates a group, a transactional id or a share partition. v4 takes several
 * keys (KIP-699), v6 share partitions (KIP-932). The first question for a group makes __consumer_offsets; Kafka answers
 * 15 to it, this waits for the topic. Deviation: share partitions get COORDINATOR_NOT_AVAILABLE (15), transactional
 * ids TRANSACTIONAL_ID_AUTHORIZATION_FAILED (53) with a message: the one code at which both the Java client and
 * librdkafka fail initTransactions at once, where 15 would let them wait until their time is up.
 */
import { ErrorCode } from '../protocol/error-codes.js'
import type {
  FindCoordinatorRequest,
  FindCoordinatorResponse,
} from '../protocol/messages/find-coordinator.js'
import type { ApiHandler, RequestFailure } from './api-handler.js'
import type { GroupServices } from './group-services.js'
import type { ClusterView } from './services.js'
import { withinTime } from './within-time.js'

const KeyType = { group: 0, transaction: 1, share: 2 } as const

const FIRST_VERSION_WITH_KEYS = 4
const FIRST_VERSION_WITH_SHARE = 6
/** `groupId:topicId:partition`; the group id may hold colons. */
const SHARE_KEY = /^.+:[A-Za-z0-9_-]{22}:[0-9]+$/s
/** How long an answer waits for the topic; clients ask again anyway. */
const TOPIC_WAIT_MS = 5000

const NO_NODE = { nodeId: -1, host: '', port: -1 }

interface Answer extends RequestFailure {
  readonly nodeId: number
  readonly host: string
  readonly port: number
}

export interface FindCoordinatorParts {
  readonly cluster: ClusterView
  readonly groups: GroupServices
}

export function findCoordinatorHandler({
  cluster,
  groups,
}: FindCoordinatorParts): ApiHandler<
  typeof FindCoordinatorRequest,
  typeof FindCoordinatorResponse
> {
  return {
    async handle(request, { apiVersion, listenerName }) {
      const isGroup = request.keyType === KeyType.group
      const ready = isGroup && (await withinTime(groups.ensureOffsetsTopic(), TOPIC_WAIT_MS, false))
      // One broker coordinates all that there is.
      const node = cluster.brokers(listenerName).find(({ nodeId }) => nodeId === cluster.nodeId)
      if (ready && node !== undefined) {
        const { nodeId, host, port } = node
        const found = { errorCode: ErrorCode.NONE, errorMessage: '', nodeId, host, port }
        return respond(request, apiVersion, () => found)
      }
      return respond(request, apiVersion, key => refusalOf(request.keyType, key, apiVersion))
    },
    fail: (request, failure, { apiVersion }) =>
      respond(request, apiVersion, () => ({ ...failure, ...NO_NODE })),
  }
}

function respond(
  request: FindCoordinatorRequest,
  apiVersion: number,
  answer: (key: string) => Answer,
) {
  if (apiVersion < FIRST_VERSION_WITH_KEYS) {
    const one = answer(request.key)
    // Kafka names the error here even if there is none.
    const errorMessage = one.errorCode === ErrorCode.NONE ? 'NONE' : one.errorMessage
    return { ...one, errorMessage, coordinators: [] }
  }
  return {
    errorCode: ErrorCode.NONE,
    nodeId: 0,
    host: '',
    port: 0,
    coordinators: request.coordinatorKeys.map(key => ({ key, ...answer(key) })),
  }
}

function refusalOf(keyType: number, key: string, apiVersion: number): Answer {
  switch (keyType) {
    case KeyType.group:
      return unavailable('The topic __consumer_offsets cannot be made yet; ask again.')
    case KeyType.transaction:
      return {
        ...NO_NODE,
        errorCode: ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
        errorMessage: 'This broker does not serve transactions yet; remove transactional.id.',
      }
    case KeyType.share:
      if (apiVersion < FIRST_VERSION_WITH_SHARE || !SHARE_KEY.test(key)) return invalid()
      return unavailable('This broker does not coordinate share groups yet.')
    default:
      return invalid()
  }
}

function unavailable(errorMessage: string): Answer {
  return { ...NO_NODE, errorCode: ErrorCode.COORDINATOR_NOT_AVAILABLE, errorMessage }
}

function invalid(): Answer {
  return {
    ...NO_NODE,
    errorCode: ErrorCode.INVALID_REQUEST,
    errorMessage:
      'The key type or the form of the key is not known to this version of the request.',
  }
}
