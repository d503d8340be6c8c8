/**
 * The declaration of one setting: Kafka's type, default, bounds and importance, plus what it does
 * here. The tables under definitions/ are built from these; parsing, DescribeConfigs and the docs
 * read them.
 */
import type { Validator } from './validators.js'

export type ConfigType =
  'boolean' | 'int' | 'long' | 'double' | 'short' | 'list' | 'string' | 'password' | 'class'

export type Importance = 'high' | 'medium' | 'low'

/** Whether Kafka lets the setting change at run time, and for what. */
export type UpdateMode = 'read-only' | 'per-broker' | 'cluster-wide' | 'topic'

/** What a parsed setting may hold. Kafka's `long` is a bigint, since its defaults reach 2^63-1. */
export type ConfigValue = boolean | number | bigint | string | readonly string[] | null

/** 'effective', or the reason why the setting changes nothing here. */
export type Effect = string

export interface Definition<V extends ConfigValue = ConfigValue> {
  readonly type: ConfigType
  readonly default: V
  readonly valid?: Validator
  readonly importance: Importance
  readonly update: UpdateMode
  readonly doc: string
  readonly effect: Effect
  /** On topic settings: the broker setting that supplies the default, if there is one. */
  readonly brokerDefault?: string
}

type Options<D> = {
  default: D
  valid?: Validator
  importance: Importance
  update: UpdateMode
  doc: string
  effect: Effect
  brokerDefault?: string
}

/** The value type of a setting: its base type, or null too if null is the default. */
type Widened<D, Base> = [D] extends [null] ? Base | null : Base

export type ValueOf<D> = D extends Definition<infer V> ? V : never

export function boolean(options: Options<boolean>): Definition<boolean> {
  return { type: 'boolean', ...options }
}

export function int<D extends number | null>(options: Options<D>): Definition<Widened<D, number>> {
  return { type: 'int', ...options } as Definition<Widened<D, number>>
}

export function short(options: Options<number>): Definition<number> {
  return { type: 'short', ...options }
}

export function long<D extends bigint | null>(options: Options<D>): Definition<Widened<D, bigint>> {
  return { type: 'long', ...options } as Definition<Widened<D, bigint>>
}

export function double(options: Options<number>): Definition<number> {
  return { type: 'double', ...options }
}

type StringDefault = string | null

export function string<D extends StringDefault>(
  options: Options<D>,
): Definition<Widened<D, string>> {
  return { type: 'string', ...options } as Definition<Widened<D, string>>
}

/** The name of a Java class in Kafka; a plain string here. */
export function className<D extends StringDefault>(
  options: Options<D>,
): Definition<Widened<D, string>> {
  return { type: 'class', ...options } as Definition<Widened<D, string>>
}

/** A secret: its value is never described, printed or logged. */
export function password(options: Options<null>): Definition<string | null> {
  return { type: 'password', ...options }
}

type ListDefault = readonly string[] | null

export function list<D extends ListDefault>(
  options: Options<D>,
): Definition<Widened<D, readonly string[]>> {
  return { type: 'list', ...options } as Definition<Widened<D, readonly string[]>>
}
