/**
 * What a client quota is (KIP-13, KIP-546, KIP-612): limits of an entity, which is a user, a client id, both, or the
 * address of clients. A name of null is the default entity: it stands for all that have no quota of their own.
 */

/** A part that is absent does not matter; null is the default. `ip` never comes with the others. */
export interface QuotaEntity {
  readonly user?: string | null
  readonly clientId?: string | null
  readonly ip?: string | null
}

/** Until clients authenticate, everyone is this user, as in Kafka. */
export const ANONYMOUS = 'ANONYMOUS'

/** The limits of users and client ids, and Kafka's type of each. */
export const CLIENT_QUOTA_TYPES = {
  producer_byte_rate: 'LONG',
  consumer_byte_rate: 'LONG',
  request_percentage: 'DOUBLE',
  controller_mutation_rate: 'DOUBLE',
} as const
/** The limits of addresses. */
export const IP_QUOTA_TYPES = { connection_creation_rate: 'INT' } as const

export type ClientQuotaKey = keyof typeof CLIENT_QUOTA_TYPES
export type QuotaKey = ClientQuotaKey | keyof typeof IP_QUOTA_TYPES

/** Per second; request_percentage is percent of one processor. */
export type QuotaValues = ReadonlyMap<string, number>

export interface ClientQuota {
  readonly entity: QuotaEntity
  /** Never empty. */
  readonly values: QuotaValues
}

export function isQuotaKey(key: string): key is QuotaKey {
  return key in CLIENT_QUOTA_TYPES || key in IP_QUOTA_TYPES
}
