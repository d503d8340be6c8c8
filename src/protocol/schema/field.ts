/**
 * The vocabulary of message schemas: one function per wire type, each returning a frozen `Field`.
 * The types of decoded values and of values to encode are inferred from these (see message.ts).
 * Neighbours: layout.ts resolves fields for one version, compile.ts and interpret.ts read and write
 * them.
 */
import type { Uuid } from '../../base/uuid.js'

export type ScalarKind =
  | 'bool'
  | 'int8'
  | 'int16'
  | 'uint16'
  | 'int32'
  | 'uint32'
  | 'int64'
  | 'float64'
  | 'uuid'
  | 'string'
  | 'bytes'
  | 'records'

export type FieldType =
  | { readonly kind: ScalarKind }
  | { readonly kind: 'array'; readonly element: FieldType }
  | { readonly kind: 'struct'; readonly struct: Struct }

/** A named group of fields. In flexible versions each struct ends with its own tagged fields. */
export interface Struct<F extends Fields = Fields> {
  readonly name: string
  readonly fields: F
}

export interface FieldOptions<T> {
  /** First version that carries the field; default: the first of the message. */
  readonly since?: number
  /** Last version that carries the field; default: the last of the message. */
  readonly until?: number
  /** First version in which the field may be null; without it, never. */
  readonly nullableSince?: number
  /** Makes it a tagged field (KIP-482) with this number. */
  readonly tag?: number
  /** First version in which the field is tagged, if that is later than `since`. */
  readonly taggedSince?: number
  /**
   * Value when absent; default: 0, '', empty, or for a struct its own defaults; `records`: null.
   */
  readonly default?: T | null
  /** True if a value that the version cannot carry is dropped silently instead of refused. */
  readonly ignorable?: boolean
  /** One sentence for the reader of the schema. */
  readonly about?: string
}

/**
 * A field as every later stage sees it: all options resolved. The type parameters exist for
 * inference only.
 */
export interface Field<Out = unknown, In = unknown, Optional extends boolean = boolean> {
  readonly type: FieldType
  readonly since: number
  readonly until: number
  readonly nullableSince: number
  readonly tag: number | null
  readonly taggedSince: number
  readonly hasDefault: boolean
  readonly default: unknown
  readonly ignorable: boolean
  readonly about: string
  readonly out?: Out
  readonly in?: In
  readonly optional?: Optional
}

export type Fields = Readonly<Record<string, Field>>

type Nullable<T, O> = O extends { readonly nullableSince: number } ? T | null : T
type MayBeOmitted<O> = O extends
  | { readonly default: unknown }
  | { readonly since: number }
  | { readonly until: number }
  | { readonly tag: number }
  ? true
  : false
type FieldOf<Out, In, O> = Field<Nullable<Out, O>, Nullable<In, O>, MayBeOmitted<O>>

export type OutOf<E> =
  E extends Field<infer Out> ? Out : E extends Struct<infer F> ? OutOfFields<F> : never
export type InOf<E> =
  E extends Field<unknown, infer In> ? In : E extends Struct<infer F> ? InOfFields<F> : never
export type OutOfFields<F> = { -readonly [K in keyof F]: OutOf<F[K]> }

type OptionalKeys<F> = {
  [K in keyof F]: F[K] extends { readonly optional?: infer P }
    ? true extends P
      ? K
      : never
    : never
}[keyof F]
type Flat<T> = { [K in keyof T]: T[K] }
export type InOfFields<F> = Flat<
  { readonly [K in Exclude<keyof F, OptionalKeys<F>>]: InOf<F[K]> } & {
    readonly [K in OptionalKeys<F>]?: InOf<F[K]>
  }
>

function field<Out, In, O extends FieldOptions<never>>(
  type: FieldType,
  options: O | undefined,
): FieldOf<Out, In, O> {
  const given: FieldOptions<never> = options ?? {}
  const since = given.since ?? 0
  return Object.freeze({
    type,
    since,
    until: given.until ?? Infinity,
    nullableSince: given.nullableSince ?? Infinity,
    tag: given.tag ?? null,
    taggedSince: given.taggedSince ?? since,
    hasDefault: given.default !== undefined,
    default: given.default,
    ignorable: given.ignorable ?? false,
    about: given.about ?? '',
  })
}

function scalar<T>(kind: ScalarKind) {
  return <const O extends FieldOptions<T>>(options?: O): FieldOf<T, T, O> =>
    field<T, T, O & FieldOptions<never>>({ kind }, options as (O & FieldOptions<never>) | undefined)
}

export const bool = scalar<boolean>('bool')
export const int8 = scalar<number>('int8')
export const int16 = scalar<number>('int16')
export const uint16 = scalar<number>('uint16')
export const int32 = scalar<number>('int32')
export const uint32 = scalar<number>('uint32')
/** 64 bits, always a bigint. */
export const int64 = scalar<bigint>('int64')
export const float64 = scalar<number>('float64')
/** 16 bytes on the wire, Kafka's 22-character text in memory. */
export const uuid = scalar<Uuid>('uuid')
export const string = scalar<string>('string')
/** Decoded as a view into the frame, which it keeps alive; copy it to keep it long. */
export const bytes = scalar<Buffer>('bytes')
/** Record batches, opaque here: a view into the frame. Only native/record looks inside. */
export function records<const O extends FieldOptions<Buffer>>(
  options?: O,
): FieldOf<Buffer, Buffer, O> {
  const resolved = { default: null, ...options } as O & FieldOptions<never>
  return field<Buffer, Buffer, O & FieldOptions<never>>({ kind: 'records' }, resolved)
}

export function struct<const F extends Fields>(name: string, fields: F): Struct<F> {
  return Object.freeze({ name, fields: Object.freeze(fields) })
}

/**
 * A field that holds one struct. A nullable one is preceded by a byte: -1 null, 1 present (tagged:
 * 0 and 1).
 */
export function structOf<F extends Fields, const O extends FieldOptions<never>>(
  of: Struct<F>,
  options?: O,
): FieldOf<OutOfFields<F>, InOfFields<F>, O> {
  return field({ kind: 'struct', struct: of }, options)
}

/** A field that holds a list of structs (`array(FetchTopic)`) or of scalars (`array(int32())`). */
export function array<E extends Field | Struct, const O extends FieldOptions<readonly InOf<E>[]>>(
  element: E,
  options?: O,
): FieldOf<OutOf<E>[], readonly InOf<E>[], O> {
  const type: FieldType = 'fields' in element ? { kind: 'struct', struct: element } : element.type
  return field<OutOf<E>[], readonly InOf<E>[], O & FieldOptions<never>>(
    { kind: 'array', element: type },
    options as (O & FieldOptions<never>) | undefined,
  )
}
