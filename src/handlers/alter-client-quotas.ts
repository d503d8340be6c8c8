/**
 * AlterClientQuotas v0-v1: sets and removes limits of users, client ids and addresses (KIP-546). An entry is changed
 * as a whole or not at all. An entity that comes twice, or with a key twice, is answered once, as in Kafka: its first
 * entry is made, the others are refused.
 */
import { codeOf, messageOf } from '../base/errors.js'
import { ErrorCode } from '../protocol/error-codes.js'
import type {
  AlterClientQuotasRequest,
  AlterClientQuotasResponse,
} from '../protocol/messages/alter-client-quotas.js'
import type { QuotaEntity } from '../quotas/client-quota.js'
import { entityOf, partsOf, valueProblem } from '../quotas/quota-validation.js'
import type { ApiHandler, RequestFailure } from './api-handler.js'
import type { ClientQuotas } from './quota-services.js'

type Entry = AlterClientQuotasRequest['entries'][number]
type Result = { entity: Entry['entity'] } & RequestFailure

const DONE: RequestFailure = { errorCode: ErrorCode.NONE, errorMessage: null }

export function alterClientQuotasHandler(
  quotas: ClientQuotas,
): ApiHandler<typeof AlterClientQuotasRequest, typeof AlterClientQuotasResponse> {
  return {
    async handle({ entries, validateOnly }) {
      const results = new Map<string, Result>()
      for (const entry of entries) {
        const entity = await entityOf(entry.entity)
        if (typeof entity === 'string') {
          results.set(JSON.stringify(entry.entity), { entity: entry.entity, ...refusal(entity) })
          continue
        }
        const parts = partsOf(entity)
        const key = JSON.stringify(parts)
        const keys = new Set(entry.ops.map(op => op.key))
        const repeated = results.has(key) || keys.size < entry.ops.length
        const outcome = repeated
          ? refusal(`Ignoring duplicate entity ClientQuotaEntity(entries={${textOf(entity)}})`)
          : await alter(entity, entry.ops, validateOnly ? undefined : quotas)
        results.set(key, { entity: parts, ...outcome })
      }
      return { throttleTimeMs: 0, entries: [...results.values()] }
    },
    fail: ({ entries }, failure) => ({
      throttleTimeMs: 0,
      entries: entries.map(({ entity }) => ({ entity, ...failure })),
    }),
  }
}

async function alter(
  entity: QuotaEntity,
  ops: Entry['ops'],
  quotas: ClientQuotas | undefined,
): Promise<RequestFailure> {
  for (const { key, remove, value } of ops) {
    const problem = remove ? undefined : valueProblem(entity, key, value)
    if (problem !== undefined) return refusal(problem)
  }
  if (quotas === undefined) return DONE
  // What is not set cannot be removed, whatever its key.
  const known = quotas.valuesOf(entity)
  const changes = new Map<string, number | null>()
  for (const { key, remove, value } of ops) {
    if (!remove) changes.set(key, value)
    else if (known.has(key)) changes.set(key, null)
  }
  try {
    if (changes.size > 0) await quotas.alter(entity, changes)
    return DONE
  } catch (error) {
    if (codeOf(error) !== 'ERR_QUOTA_NAME_TOO_LONG') throw error
    return refusal(messageOf(error))
  }
}

function refusal(errorMessage: string): RequestFailure {
  return { errorCode: ErrorCode.INVALID_REQUEST, errorMessage }
}

function textOf(entity: QuotaEntity): string {
  return partsOf(entity)
    .map(({ entityType, entityName }) => `${entityType}=${entityName}`)
    .join(', ')
}
