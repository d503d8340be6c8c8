/** Turns pino's JSON lines into one readable line each, for a terminal. */

const LEVEL_NAMES: Readonly<Record<number, string>> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
}

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g

/**
 * `12:34:56.789 INFO  message  key=value`, without control characters: foreign text cannot forge a
 * line.
 */
export function formatLogLine(json: string): string {
  let line: Record<string, unknown>
  try {
    line = JSON.parse(json) as Record<string, unknown>
  } catch {
    return `${escapeControl(json.trimEnd())}\n`
  }
  const { level, time, msg, ...rest } = line
  const clock = new Date(Number(time)).toISOString().slice(11, 23)
  const name = (LEVEL_NAMES[Number(level)] ?? String(level)).padEnd(5)
  const fields = Object.entries(rest).map(([key, value]) => `  ${key}=${fieldText(value)}`)
  return `${clock} ${name} ${escapeControl(`${String(msg ?? '')}${fields.join('')}`)}\n`
}

function fieldText(value: unknown): string {
  if (typeof value === 'string') return /[\s"=]/.test(value) ? JSON.stringify(value) : value
  if (isError(value))
    return `${value.message}${value.stack === undefined ? '' : ` (${value.stack})`}`
  return JSON.stringify(value) ?? 'undefined'
}

function isError(value: unknown): value is { message: string; stack?: string } {
  return typeof value === 'object' && value !== null && 'message' in value && 'type' in value
}

function escapeControl(text: string): string {
  return text.replace(
    CONTROL,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
