/** DescribeClientQuotas v0-v1: the quotas of the entities that have all parts the filter names (KIP-546). */
import { ErrorCode } from '../protocol/error-codes.js'
import type {
  DescribeClientQuotasRequest,
  DescribeClientQuotasResponse,
} from '../protocol/messages/describe-client-quotas.js'
import type { QuotaEntity } from '../quotas/client-quota.js'
import { ENTITY_TYPES, isEntityType, partsOf } from '../quotas/quota-validation.js'
import type { ApiHandler, RequestFailure } from './api-handler.js'
import type { ClientQuotas } from './quota-services.js'

type Component = DescribeClientQuotasRequest['components'][number]

const MATCH_EXACT = 0
const MATCH_DEFAULT = 1
const MATCH_ANY = 2

export function describeClientQuotasHandler(
  quotas: ClientQuotas,
): ApiHandler<typeof DescribeClientQuotasRequest, typeof DescribeClientQuotasResponse> {
  const fail = ({ errorCode, errorMessage }: RequestFailure) => ({
    throttleTimeMs: 0,
    errorCode,
    errorMessage,
    entries: null,
  })
  return {
    handle({ components, strict }) {
      const problem = problemOf(components)
      if (problem !== undefined) return fail(problem)
      const found = quotas
        .entries()
        .filter(({ entity }) => matches(entity, components, strict))
        .map(({ entity, values }) => ({
          entity: partsOf(entity),
          values: Array.from(values, ([key, value]) => ({ key, value })),
        }))
      // Kafka sends an empty message where all is well.
      return { throttleTimeMs: 0, errorCode: ErrorCode.NONE, errorMessage: '', entries: found }
    },
    fail: (_request, failure) => fail(failure),
  }
}

function matches(entity: QuotaEntity, components: readonly Component[], strict: boolean): boolean {
  if (strict && partsOf(entity).length !== components.length) return false
  return components.every(({ entityType, match, matchType }) => {
    const name = isEntityType(entityType) ? entity[ENTITY_TYPES[entityType]] : undefined
    if (matchType === MATCH_ANY) return name !== undefined
    return name === (matchType === MATCH_DEFAULT ? null : match)
  })
}

function problemOf(components: readonly Component[]): RequestFailure | undefined {
  const seen = new Set<string>()
  for (const component of components) {
    const { entityType } = component
    const problem = matchProblem(component)
    if (entityType === '') return invalid('Invalid empty entity type.')
    if (seen.has(entityType)) {
      return invalid(`Entity type ${entityType} cannot appear more than once in the filter.`)
    }
    if (!isEntityType(entityType)) {
      const errorMessage = `Unsupported entity type ${entityType}`
      return { errorCode: ErrorCode.UNSUPPORTED_VERSION, errorMessage }
    }
    if (problem !== undefined) return invalid(problem)
    seen.add(entityType)
  }
  if (!seen.has('ip') || seen.size === 1) return undefined
  return invalid(
    'Invalid entity filter component combination. IP filter component should not be used with ' +
      'user or clientId filter component.',
  )
}

function matchProblem({ match, matchType }: Component): string | undefined {
  switch (matchType) {
    case MATCH_EXACT:
      if (match !== null) return undefined
      return 'Request specified MATCH_TYPE_EXACT, but set match string to null.'
    case MATCH_DEFAULT:
      if (match === null) return undefined
      return 'Request specified MATCH_TYPE_DEFAULT, but also specified a match string.'
    case MATCH_ANY:
      if (match === null) return undefined
      return 'Request specified MATCH_TYPE_SPECIFIED, but also specified a match string.'
    default:
      return `Unknown match type ${matchType}`
  }
}

function invalid(errorMessage: string): RequestFailure {
  return { errorCode: ErrorCode.INVALID_REQUEST, errorMessage }
}
