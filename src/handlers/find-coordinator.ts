/**
 * FindCoordinator v0-v6: which broker coordinates a group, a transactional id or a share partition. v4 takes
 * several keys (KIP-699), v6 share partitions (KIP-932).
 * Deviation: there are no coordinators yet. Groups and share partitions get COORDINATOR_NOT_AVAILABLE (15),
 * what Kafka answers until the coordinator's topic exists; clients go on asking. Transactional ids get
 * TRANSACTIONAL_ID_AUTHORIZATION_FAILED (53) with a message: the one code at which both the Java client and
 * librdkafka fail initTransactions at once, where 15 would let them wait until their time is up.
 */
import { ErrorCode } from '../protocol/error-codes.js'
import type {
  FindCoordinatorRequest,
  FindCoordinatorResponse,
} from '../protocol/messages/find-coordinator.js'
import type { ApiHandler, RequestFailure } from './api-handler.js'

const KeyType = { group: 0, transaction: 1, share: 2 } as const

const FIRST_VERSION_WITH_KEYS = 4
const FIRST_VERSION_WITH_SHARE = 6
/** `groupId:topicId:partition`; the group id may hold colons. */
const SHARE_KEY = /^.+:[A-Za-z0-9_-]{22}:[0-9]+$/s

const NO_NODE = { nodeId: -1, host: '', port: -1 }

export function findCoordinatorHandler(): ApiHandler<
  typeof FindCoordinatorRequest,
  typeof FindCoordinatorResponse
> {
  return {
    handle(request, { apiVersion }) {
      return respond(request, apiVersion, key => answerFor(request.keyType, key, apiVersion))
    },
    fail: (request, failure, { apiVersion }) => respond(request, apiVersion, () => failure),
  }
}

function respond(
  request: FindCoordinatorRequest,
  apiVersion: number,
  answer: (key: string) => RequestFailure,
) {
  if (apiVersion < FIRST_VERSION_WITH_KEYS)
    return { ...NO_NODE, ...answer(request.key), coordinators: [] }
  return {
    errorCode: ErrorCode.NONE,
    nodeId: 0,
    host: '',
    port: 0,
    coordinators: request.coordinatorKeys.map(key => ({ key, ...NO_NODE, ...answer(key) })),
  }
}

function answerFor(keyType: number, key: string, apiVersion: number): RequestFailure {
  switch (keyType) {
    case KeyType.group:
      return unavailable('This broker does not coordinate groups yet.')
    case KeyType.transaction:
      return {
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

function unavailable(errorMessage: string): RequestFailure {
  return { errorCode: ErrorCode.COORDINATOR_NOT_AVAILABLE, errorMessage }
}

function invalid(): RequestFailure {
  return {
    errorCode: ErrorCode.INVALID_REQUEST,
    errorMessage:
      'The key type or the form of the key is not known to this version of the request.',
  }
}
