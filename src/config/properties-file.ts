/**
 * Reads Java properties files: comments, continued lines, the three separators, escapes and \uXXXX.
 * Keeps the line of each entry, for error messages. Also used for meta.properties and client
 * configs.
 */
import { BrokerError } from '../base/errors.js'

export interface PropertyEntry {
  readonly key: string
  readonly value: string
  /** The entry's first line, counted from 1. */
  readonly line: number
}

/** A logical line: natural lines joined where one ends in an odd number of backslashes. */
interface LogicalLine {
  readonly text: string
  readonly line: number
}

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f' }

/**
 * The entries in file order; a key given twice appears twice. `file` is only named in errors.
 * Throws ERR_PROPERTIES_MALFORMED with file and line when a \u escape is broken.
 */
export function parseProperties(text: string, file: string): PropertyEntry[] {
  const withoutMark = text.startsWith('\uFEFF') ? text.slice(1) : text
  return logicalLines(withoutMark).map(({ text: line, line: number }) => {
    const { key, value } = splitEntry(line)
    const decode = (part: string) => unescapePart(part, file, number)
    return { key: decode(key), value: decode(value), line: number }
  })
}

/**
 * The text of a properties file with these entries; keys and values are escaped as Java would read
 * them.
 */
export function formatProperties(entries: Iterable<readonly [string, string]>): string {
  let text = ''
  for (const [key, value] of entries)
    text += `${escapePart(key, true)}=${escapePart(value, false)}\n`
  return text
}

function logicalLines(text: string): LogicalLine[] {
  const lines: LogicalLine[] = []
  let pending: { text: string; line: number } | undefined
  for (const [index, natural] of text.split(/\r\n|\r|\n/).entries()) {
    const trimmed = natural.replace(/^[ \t\f]+/, '')
    if (pending === undefined && (trimmed === '' || /^[#!]/.test(trimmed))) continue
    const joined: { text: string; line: number } = pending ?? { text: '', line: index + 1 }
    const continues = endsInOddBackslashes(trimmed)
    joined.text += continues ? trimmed.slice(0, -1) : trimmed
    pending = continues ? joined : undefined
    if (!continues) lines.push(joined)
  }
  if (pending !== undefined) lines.push(pending)
  return lines.filter(line => line.text !== '')
}

function endsInOddBackslashes(text: string): boolean {
  const run = /\\+$/.exec(text)
  return run !== null && run[0].length % 2 === 1
}

/**
 * The key ends at the first unescaped `=`, `:` or blank; blanks around one separator are dropped.
 */
function splitEntry(line: string): { key: string; value: string } {
  let end = 0
  while (end < line.length && !/[=: \t\f]/.test(line[end]!)) end += line[end] === '\\' ? 2 : 1
  const rest = line.slice(end).replace(/^[ \t\f]*[=:]?[ \t\f]*/, '')
  return { key: line.slice(0, end), value: rest }
}

function unescapePart(part: string, file: string, line: number): string {
  if (!part.includes('\\')) return part
  return part.replace(/\\(u[\s\S]{0,4}|[\s\S]|$)/g, (_, escape: string) => {
    if (escape[0] !== 'u') return SIMPLE_ESCAPES[escape] ?? escape
    if (!/^u[0-9a-fA-F]{4}$/.test(escape)) {
      throw new BrokerError(
        'ERR_PROPERTIES_MALFORMED',
        `${file}:${line}: "\\${escape}" is not a Unicode escape: \\u must be followed by four ` +
          'hexadecimal digits. Write a backslash as "\\\\".',
      )
    }
    return String.fromCharCode(Number.parseInt(escape.slice(1), 16))
  })
}

function escapePart(part: string, isKey: boolean): string {
  const special = isKey ? /[\\=:#! \t\n\r\f]/g : /[\\\t\n\r\f]|^ /g
  const names: Readonly<Record<string, string>> = { '\t': 't', '\n': 'n', '\r': 'r', '\f': 'f' }
  return part.replace(special, character => `\\${names[character] ?? character}`)
}
