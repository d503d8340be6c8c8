/**
 * Which quota a client is under, by Kafka's order: what is set for the user together with the client id goes before
 * the user's, that before the client id's, and a name before a default. Clients that share a limit share one meter,
 * whose name is `meter`.
 */
import type { ClientQuotaKey, QuotaEntity } from './client-quota.js'

export interface QuotaLimits {
  limitOf(entity: QuotaEntity, key: ClientQuotaKey): number | undefined
}

export interface AppliedQuota {
  readonly limit: number
  readonly meter: string
}

/** Undefined: nothing limits this client. */
export function appliedQuota(
  limits: QuotaLimits,
  key: ClientQuotaKey,
  user: string,
  clientId: string,
): AppliedQuota | undefined {
  // A meter of a default is still the client's own: the default is what each may use, not all together.
  const both = JSON.stringify([user, clientId])
  const userOnly = JSON.stringify([user, null])
  const clientOnly = JSON.stringify([null, clientId])
  const candidates: readonly (readonly [QuotaEntity, string])[] = [
    [{ user, clientId }, both],
    [{ user, clientId: null }, both],
    [{ user }, userOnly],
    [{ user: null, clientId }, both],
    [{ user: null, clientId: null }, both],
    [{ user: null }, userOnly],
    [{ clientId }, clientOnly],
    [{ clientId: null }, clientOnly],
  ]
  for (const [entity, meter] of candidates) {
    const limit = limits.limitOf(entity, key)
    if (limit !== undefined) return { limit, meter }
  }
  return undefined
}
