/**
 * The log of the broker. pino is loaded by the first line that passes the level, not at start;
 * lines wait for it in order. Lines are JSON, or readable text on a terminal; fields named like
 * secrets are never written.
 */
import type { DestinationStream, Logger as Pino } from 'pino'
import { formatLogLine } from './log-text.js'

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
export type LogFields = Readonly<Record<string, unknown>>

export interface Logger {
  trace(message: string, fields?: LogFields): void
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  fatal(message: string, fields?: LogFields): void
  /** A logger that adds these fields to each line. */
  child(fields: LogFields): Logger
  /** The least level that is written, of this logger and all that were made from it; set it to change that. */
  level: LogLevel
  /** Resolves when every line so far has been handed on; call before the process exits. */
  flush(): Promise<void>
}

export interface LoggerOptions {
  readonly level: LogLevel
  /** 'auto' is text when standard output is a terminal. */
  readonly format: 'auto' | 'json' | 'text'
  /** Where whole lines go; standard output by default. */
  readonly write?: (line: string) => void
}

const LEVELS: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']
const SECRET = /password|passphrase|secret|token|credential|jaas|private.?key|keystore\.key/i
const HIDDEN = '[hidden]'
const DEPTH_MAX = 5

/** Creates a logger; nothing is loaded until a line passes the level. */
export function createLogger(options: LoggerOptions): Logger {
  return new LazyLogger(new Sink(options))
}

type LineLevel = Exclude<LogLevel, 'silent'>

/** pino, and the lines that came before it was loaded. Shared by a logger and its children. */
class Sink {
  readonly #options: LoggerOptions
  readonly #waiting: [level: LineLevel, fields: object, message: string][] = []
  #pino: Pino | undefined
  #loading: Promise<void> | undefined
  level: LogLevel

  constructor(options: LoggerOptions) {
    this.#options = options
    this.level = options.level
  }

  write(level: LineLevel, fields: object, message: string): void {
    if (this.#pino !== undefined) {
      this.#pino[level](fields, message)
      return
    }
    this.#waiting.push([level, fields, message])
    this.#loading ??= loadPino(this.#options).then(pino => {
      this.#pino = pino
      for (const [waitingLevel, ...line] of this.#waiting.splice(0)) pino[waitingLevel](...line)
    })
  }

  async flush(): Promise<void> {
    await this.#loading
  }
}

class LazyLogger implements Logger {
  readonly #sink: Sink
  readonly #fields: LogFields

  constructor(sink: Sink, fields: LogFields = {}) {
    this.#sink = sink
    this.#fields = fields
  }

  get level(): LogLevel {
    return this.#sink.level
  }

  set level(level: LogLevel) {
    this.#sink.level = level
  }

  trace(message: string, fields?: LogFields): void {
    this.#log('trace', message, fields)
  }

  debug(message: string, fields?: LogFields): void {
    this.#log('debug', message, fields)
  }

  info(message: string, fields?: LogFields): void {
    this.#log('info', message, fields)
  }

  warn(message: string, fields?: LogFields): void {
    this.#log('warn', message, fields)
  }

  error(message: string, fields?: LogFields): void {
    this.#log('error', message, fields)
  }

  fatal(message: string, fields?: LogFields): void {
    this.#log('fatal', message, fields)
  }

  child(fields: LogFields): Logger {
    return new LazyLogger(this.#sink, { ...this.#fields, ...fields })
  }

  flush(): Promise<void> {
    return this.#sink.flush()
  }

  #log(level: LineLevel, message: string, fields: LogFields = {}): void {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(this.#sink.level)) return
    this.#sink.write(level, redacted({ ...this.#fields, ...fields }, 0), message)
  }
}

async function loadPino(options: LoggerOptions): Promise<Pino> {
  const { pino } = await import('pino')
  const write = options.write ?? ((line: string) => void process.stdout.write(line))
  const isText =
    options.format === 'text' || (options.format === 'auto' && process.stdout.isTTY === true)
  const destination: DestinationStream = {
    write: line => write(isText ? formatLogLine(line) : line),
  }
  return pino({ level: 'trace', base: null, serializers: {} }, destination)
}

/** A copy in which secrets are hidden, bigints are text, and errors are plain objects. */
function redacted(value: unknown, depth: number): object {
  const copy: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(value as object)) {
    copy[key] = SECRET.test(key) ? HIDDEN : loggable(field, depth)
  }
  return copy
}

function loggable(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Error) {
    const code = 'code' in value ? { code: value.code } : {}
    return { type: value.name, message: value.message, ...code, stack: value.stack }
  }
  if (typeof value !== 'object' || value === null) return value
  if (Buffer.isBuffer(value)) return `${value.length} bytes`
  if (depth >= DEPTH_MAX) return '...'
  if (value instanceof Map) return redacted(Object.fromEntries(value), depth + 1)
  if (value instanceof Set) return [...value].map(item => loggable(item, depth + 1))
  if (Array.isArray(value)) return value.map(item => loggable(item, depth + 1))
  return redacted(value, depth + 1)
}

/** A logger that writes nothing, for tests and embedding. */
export const silentLogger: Logger = createLogger({ level: 'silent', format: 'json' })
