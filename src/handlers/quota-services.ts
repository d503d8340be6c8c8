/** What handlers need of quotas. */
import type { ClientQuota, QuotaEntity, QuotaValues } from '../quotas/client-quota.js'

export type { MutationAllowance, MutationQuotas } from '../quotas/mutation-quota.js'

export interface ClientQuotas {
  entries(): readonly ClientQuota[]
  /** What is set for exactly this entity. */
  valuesOf(entity: QuotaEntity): QuotaValues
  /** Sets limits, and removes those given as null. Rejects ERR_QUOTA_NAME_TOO_LONG. */
  alter(entity: QuotaEntity, changes: ReadonlyMap<string, number | null>): Promise<void>
}
