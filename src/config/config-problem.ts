/** Problems of a configuration, gathered so that one start attempt shows all of them. */
import { BrokerError } from '../base/errors.js'
import { escapeControlCharacters } from '../base/printable.js'

/** Where a setting came from: a file and line, or an override. */
export interface Origin {
  readonly file: string
  readonly line?: number
}

export interface ConfigProblem {
  readonly key: string
  readonly origin?: Origin
  /** The offending text; absent when it is missing, irrelevant or secret. */
  readonly value?: string
  readonly reason: string
  readonly remedy: string
}

/** Thrown with every problem found; `problems` is for programs, the message for people. */
export class ConfigError extends BrokerError {
  readonly problems: readonly ConfigProblem[]

  constructor(problems: readonly ConfigProblem[]) {
    super('ERR_CONFIG_INVALID', problems.map(formatProblem).join('\n'))
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** `server.properties:12: log.segment.bytes=10: Value must be at least 1048576. Remedy.` */
export function formatProblem(problem: ConfigProblem): string {
  const { key, origin, value, reason, remedy } = problem
  const place = origin === undefined ? '' : `${originText(origin)}: `
  const setting = value === undefined ? printable(key) : `${printable(key)}=${printable(value)}`
  return `${place}${setting}: ${sentence(reason)} ${sentence(capitalised(remedy))}`
}

function originText(origin: Origin): string {
  return origin.line === undefined ? origin.file : `${origin.file}:${origin.line}`
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Keys and values are quoted from files, so control characters must not reach the terminal. */
function printable(text: string): string {
  return escapeControlCharacters(text.length > 200 ? `${text.slice(0, 200)}...` : text)
}
