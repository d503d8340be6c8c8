/**
 * Defines requests, responses and data messages as plain values, and infers their TypeScript types.
 * One in-memory shape covers all versions of a message, as in Kafka: fields a version lacks take
 * their default.
 */
import { type ApiKey, apiName } from '../api-keys.js'
import type { Fields, InOfFields, OutOfFields } from './field.js'

export type VersionRange = readonly [first: number, last: number]

export interface ApiHead {
  readonly apiKey: ApiKey
  /** Versions that can be decoded and encoded, both ends included. */
  readonly versions: VersionRange
  /**
   * First flexible version (KIP-482: compact lengths, tagged fields, header v2); null if none is.
   */
  readonly flexibleSince: number | null
  /** Kafka hides the last version unless `unstable.api.versions.enable` is set. */
  readonly latestVersionUnstable?: boolean
  /**
   * First version to list in ApiVersions, if lower than what can be decoded (Produce, see
   * produce.ts).
   */
  readonly advertisedSince?: number
}

export interface MessageHead {
  readonly name: string
  readonly versions: VersionRange
  readonly flexibleSince: number | null
}

/** What the codec needs of any message. */
export interface MessageSchema<F extends Fields = Fields> {
  readonly name: string
  readonly versions: VersionRange
  /** `Infinity` if no version is flexible. */
  readonly flexibleSince: number
  readonly fields: F
}

interface ApiSchema<F extends Fields> extends MessageSchema<F> {
  readonly apiKey: ApiKey
  /** The range ApiVersions lists. */
  readonly advertised: VersionRange
}

export interface RequestSchema<F extends Fields = Fields> extends ApiSchema<F> {
  readonly kind: 'request'
}

export interface ResponseSchema<F extends Fields = Fields> extends ApiSchema<F> {
  readonly kind: 'response'
}

/** The full shape that decoding yields. */
export type Infer<S extends { readonly fields: Fields }> = OutOfFields<S['fields']>

/**
 * The shape that encoding takes: fields that have a default or that some version lacks may be left
 * out. Every `Infer` value is also a valid one.
 */
export type InferInput<S extends { readonly fields: Fields }> = InOfFields<S['fields']>

export function defineRequest<const F extends Fields>(head: ApiHead, fields: F): RequestSchema<F> {
  return Object.freeze({ kind: 'request' as const, ...apiSchema(head, 'Request', fields) })
}

export function defineResponse<const F extends Fields>(
  head: ApiHead,
  fields: F,
): ResponseSchema<F> {
  return Object.freeze({ kind: 'response' as const, ...apiSchema(head, 'Response', fields) })
}

/**
 * A message outside the request protocol, such as ConsumerProtocolSubscription or a coordinator's
 * record.
 */
export function defineMessage<const F extends Fields>(
  head: MessageHead,
  fields: F,
): MessageSchema<F> {
  const flexibleSince = head.flexibleSince ?? Infinity
  return Object.freeze({ name: head.name, versions: head.versions, flexibleSince, fields })
}

function apiSchema<F extends Fields>(head: ApiHead, suffix: string, fields: F): ApiSchema<F> {
  const [first, last] = head.versions
  const lastStable = head.latestVersionUnstable === true ? last - 1 : last
  return {
    apiKey: head.apiKey,
    name: `${apiName(head.apiKey)}${suffix}`,
    versions: head.versions,
    advertised: [head.advertisedSince ?? first, lastStable],
    flexibleSince: head.flexibleSince ?? Infinity,
    fields,
  }
}
