/** What Kafka 4.4 accepts as a quota and as the entity of one; every sentence is the one its clients see. */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { CLIENT_QUOTA_TYPES, IP_QUOTA_TYPES, type QuotaEntity } from './client-quota.js'

const INTEGER_MAX = { INT: 2 ** 31 - 1, LONG: 2 ** 63 } as const
/** A value this near to a whole number is one. */
const FRACTION_MAX = 1e-6

export interface EntityPart {
  readonly entityType: string
  readonly entityName: string | null
}

/** In the order in which answers list them. */
export const ENTITY_TYPES = { 'client-id': 'clientId', user: 'user', ip: 'ip' } as const

/** The entity of a request, or why it is none. A type that comes twice has its last name. */
export async function entityOf(parts: readonly EntityPart[]): Promise<QuotaEntity | string> {
  if (parts.length === 0) return 'Invalid empty client quota entity'
  const entity: { -readonly [K in keyof QuotaEntity]: QuotaEntity[K] } = {}
  for (const { entityType, entityName } of parts) {
    if (!isEntityType(entityType)) return `Unhandled client quota entity type: ${entityType}`
    if (entityName === '') return `Empty ${entityType} not supported`
    entity[ENTITY_TYPES[entityType]] = entityName
  }
  if (entity.ip === undefined) return entity
  if (entity.user !== undefined || entity.clientId !== undefined) {
    return 'Invalid quota entity combination, IP entity shouldnot be combined with User or ClientId'
  }
  if (entity.ip !== null && (await addressOf(entity.ip)) === undefined) {
    return `${entity.ip} is not a valid IP or resolvable host.`
  }
  return entity
}

/** The parts of an entity, as answers list them. */
export function partsOf(entity: QuotaEntity): EntityPart[] {
  return Object.entries(ENTITY_TYPES).flatMap(([entityType, field]) => {
    const entityName = entity[field]
    return entityName === undefined ? [] : [{ entityType, entityName }]
  })
}

export function isEntityType(type: string): type is keyof typeof ENTITY_TYPES {
  return Object.hasOwn(ENTITY_TYPES, type)
}

/** The address of an IP entity, which may be named by a host; undefined: there is none. */
export async function addressOf(name: string): Promise<string | undefined> {
  if (isIP(name) !== 0) return name
  try {
    return (await lookup(name)).address
  } catch {
    return undefined
  }
}

/** Why a limit cannot be set; undefined: it can. */
export function valueProblem(entity: QuotaEntity, key: string, value: number): string | undefined {
  const types: Readonly<Record<string, 'INT' | 'LONG' | 'DOUBLE'>> =
    entity.ip === undefined ? CLIENT_QUOTA_TYPES : IP_QUOTA_TYPES
  const type = Object.hasOwn(types, key) ? types[key] : undefined
  if (type === undefined) return `Invalid configuration key ${key}`
  if (!Number.isFinite(value)) return `Quota ${key} must be a finite number`
  if (value <= 0) return `Quota ${key} must be greater than 0`
  if (type === 'DOUBLE') return undefined
  if (value > INTEGER_MAX[type]) {
    return `Proposed value for ${key} is too large for ${type === 'INT' ? 'an' : 'a'} ${type}.`
  }
  return value % 1 > FRACTION_MAX ? `${key} cannot be a fractional value.` : undefined
}
