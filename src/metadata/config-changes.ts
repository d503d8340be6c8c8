/**
 * From the settings a resource has and what a request asks to the settings it shall have: the operations of
 * IncrementalAlterConfigs (KIP-339) and the whole replacement of AlterConfigs, with Kafka's refusals. Pure.
 */
import { ErrorCode } from '../protocol/error-codes.js'
import type { EntityConfig } from './entity-configs.js'

export const CONFIG_OPERATION = { set: 0, delete: 1, append: 2, subtract: 3 } as const

export interface ConfigOperation {
  readonly name: string
  /** One of CONFIG_OPERATION; what is none gets -1 UNKNOWN_SERVER_ERROR, as in Kafka. */
  readonly configOperation: number
  readonly value: string | null
}

export interface ConfigProblem {
  readonly errorCode: number
  readonly errorMessage: string | null
}

export interface ListSettings {
  isList(name: string): boolean
  /** The items in force when the resource sets none of its own. */
  itemsOf(name: string): readonly string[]
}

/** The settings after the operations, or why there are none. */
export function applyOperations(
  before: EntityConfig,
  operations: readonly ConfigOperation[],
  lists: ListSettings,
): Map<string, string> | ConfigProblem {
  const refusal = requestProblem(
    operations.map(({ name }) => name),
    operations.filter(isNull).map(({ name }) => name),
  )
  if (refusal !== undefined) return refusal
  const after = new Map(before)
  for (const { name, configOperation, value } of operations) {
    switch (configOperation) {
      case CONFIG_OPERATION.set:
        after.set(name, value ?? '')
        break
      case CONFIG_OPERATION.delete:
        after.delete(name)
        break
      case CONFIG_OPERATION.append:
      case CONFIG_OPERATION.subtract: {
        const isAppend = configOperation === CONFIG_OPERATION.append
        if (!lists.isList(name)) return notAList(name, isAppend)
        const has = after.has(name) ? itemsOf(after.get(name)!) : lists.itemsOf(name)
        after.set(name, changed(has, itemsOf(value ?? ''), isAppend).join(','))
        break
      }
      default:
        return { errorCode: ErrorCode.UNKNOWN_SERVER_ERROR, errorMessage: null }
    }
  }
  return after
}

/** Kafka looks at the operations on brokers before it applies any, and has other words for them. */
export function brokerOperationProblem(
  operations: readonly ConfigOperation[],
  typeOf: (name: string) => string | undefined,
): ConfigProblem | null {
  const { append, subtract, ...others } = CONFIG_OPERATION
  for (const { name, configOperation } of operations) {
    const isAppend = configOperation === append
    if (isAppend || configOperation === subtract) {
      const type = typeOf(name)
      if (type === 'list') continue
      const operation = isAppend ? 'append' : 'subtract'
      const errorMessage =
        type === undefined
          ? `Unknown config name: ${name}`
          : `Config value ${operation} is not allowed for config key: ${name}`
      return { errorCode: ErrorCode.INVALID_CONFIG, errorMessage }
    }
    if (Object.values<number>(others).includes(configOperation)) continue
    return invalid(`Unknown operations type ${configOperation}`)
  }
  return null
}

/** What AlterConfigs replaces everything with, or why not. */
export function replacement(
  settings: readonly { readonly name: string; readonly value: string | null }[],
): Map<string, string> | ConfigProblem {
  const refusal = requestProblem(
    settings.map(({ name }) => name),
    settings.filter(({ value }) => value === null).map(({ name }) => name),
  )
  return refusal ?? new Map(settings.map(({ name, value }) => [name, value ?? '']))
}

export function isConfigProblem(result: object | null): result is ConfigProblem {
  return result !== null && 'errorCode' in result
}

function requestProblem(
  names: readonly string[],
  nulls: readonly string[],
): ConfigProblem | undefined {
  if (new Set(names).size < names.length) return invalid('Error due to duplicate config keys')
  if (nulls.length > 0) return invalid(`Null value not supported for : ${nulls.join(',')}`)
  return undefined
}

function isNull({ configOperation, value }: ConfigOperation): boolean {
  return value === null && configOperation !== CONFIG_OPERATION.delete
}

function notAList(name: string, isAppend: boolean): ConfigProblem {
  const operation = isAppend ? 'APPEND' : 'SUBTRACT'
  return {
    errorCode: ErrorCode.INVALID_CONFIG,
    errorMessage: `Can't ${operation} to key ${name} because its type is not LIST.`,
  }
}

function itemsOf(text: string): string[] {
  const trimmed = text.trim()
  return trimmed === '' ? [] : trimmed.split(/\s*,\s*/)
}

function changed(has: readonly string[], items: readonly string[], isAppend: boolean): string[] {
  return isAppend
    ? [...has, ...items.filter(item => !has.includes(item))]
    : has.filter(item => !items.includes(item))
}

export function invalid(errorMessage: string): ConfigProblem {
  return { errorCode: ErrorCode.INVALID_REQUEST, errorMessage }
}
