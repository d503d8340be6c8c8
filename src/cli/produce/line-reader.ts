/** Turns lines into records as kafka-console-producer does: [headers DELIMITER] [key SEPARATOR] value. */
import { BrokerError } from '../../base/errors.js'
import { UsageError } from '../failure.js'

/** What a line says. */
export interface LineRecord {
  readonly key: string | null
  readonly value: string | null
  readonly headers: readonly (readonly [string, string | null])[]
}

const DEFAULTS: Readonly<Record<string, string>> = {
  'parse.key': 'false',
  'parse.headers': 'false',
  'ignore.error': 'false',
  'key.separator': '\t',
  'headers.delimiter': '\t',
  'headers.separator': ',',
  'headers.key.separator': ':',
  'null.marker': '',
}

export class LineReader {
  readonly #properties: Readonly<Record<string, string>>
  #lineNumber = 0

  /** Throws a UsageError for separators that cannot be told apart. */
  constructor(properties: ReadonlyMap<string, string>) {
    this.#properties = { ...DEFAULTS, ...Object.fromEntries(properties) }
    this.#refuseEqual('headers.delimiter', 'headers.separator')
    this.#refuseEqual('headers.delimiter', 'headers.key.separator')
    this.#refuseEqual('headers.separator', 'headers.key.separator')
    if (this.#is('parse.key')) this.#refuseEqual('headers.delimiter', 'key.separator', true)
    for (const name of ['key.separator', 'headers.delimiter', 'headers.separator']) {
      if (this.#of(name) === '') throw new UsageError(`${name} is empty; name one or more letters.`)
    }
    const marker = this.#of('null.marker')
    if (marker !== '' && marker === this.#of('key.separator')) {
      throw new UsageError('null.marker and key.separator are the same; choose different ones.')
    }
  }

  /** The record of the next line. Throws ERR_LINE with the line's number if a separator is missing. */
  read(line: string): LineRecord {
    this.#lineNumber++
    let rest = line
    let headers: LineRecord['headers'] = []
    if (this.#is('parse.headers')) {
      const [text, after] = this.#split(rest, 'headers.delimiter', 'headers delimiter')
      if (text !== null && text !== this.#of('null.marker')) headers = this.#headers(text)
      rest = after
    }
    let key: string | null = null
    if (this.#is('parse.key')) {
      const [text, after] = this.#split(rest, 'key.separator', 'key separator')
      key = this.#nullable(text)
      rest = after
    }
    return { key, value: this.#nullable(rest), headers }
  }

  #headers(text: string): (readonly [string, string | null])[] {
    return text.split(this.#of('headers.separator')).map(pair => {
      const separator = this.#of('headers.key.separator')
      const at = pair.indexOf(separator)
      if (at >= 0) return [pair.slice(0, at), this.#nullable(pair.slice(at + separator.length))]
      if (this.#is('ignore.error')) return [pair, null]
      throw this.#broken(`No header key separator found in pair '${pair}'`)
    })
  }

  #split(text: string, property: string, what: string): [string | null, string] {
    const separator = this.#of(property)
    const at = text.indexOf(separator)
    if (at >= 0) return [text.slice(0, at), text.slice(at + separator.length)]
    if (this.#is('ignore.error')) return [null, text]
    throw this.#broken(`No ${what} found`)
  }

  #nullable(text: string | null): string | null {
    const marker = this.#of('null.marker')
    return marker !== '' && text === marker ? null : text
  }

  #broken(what: string): BrokerError {
    return new BrokerError(
      'ERR_LINE',
      `${what} on line number ${this.#lineNumber}. Correct the line, or set ignore.error=true.`,
    )
  }

  #is(name: string): boolean {
    return this.#of(name).trim().toLowerCase() === 'true'
  }

  #of(name: string): string {
    return this.#properties[name] ?? ''
  }

  #refuseEqual(one: string, other: string, onlyWithHeaders = false): void {
    if (onlyWithHeaders && !this.#is('parse.headers')) return
    if (this.#of(one) !== this.#of(other)) return
    throw new UsageError(`${one} and ${other} are the same; choose different ones.`)
  }
}
