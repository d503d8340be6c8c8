/**
 * The table of APIs in docs/protocol.md: what the schemas describe, and which of them the broker
 * answers.
 */
import type { ApiSchemas } from '../apis.js'
import type { VersionRange } from '../schema/message.js'

export const TABLE_START = '<!-- api-table: made by npm run generate -->'
export const TABLE_END = '<!-- api-table: end -->'

/** `answered`: the names of the APIs that the broker's registry serves. */
export function apiTable(apis: readonly ApiSchemas[], answered: ReadonlySet<string>): string {
  const rows = apis.map(({ name, request }) => {
    const flexible = Number.isFinite(request.flexibleSince) ? `${request.flexibleSince}` : 'none'
    const served = answered.has(name) ? `yes, lists ${rangeText(request.advertised)}` : 'not yet'
    const cells = [request.apiKey, name, rangeText(request.versions), flexible, served]
    return `| ${cells.join(' | ')} |`
  })
  const known = apis.filter(({ name }) => answered.has(name)).length
  return [
    TABLE_START,
    '',
    `The broker answers ${known} of ${apis.length}.`,
    '',
    '| key | API | versions described | flexible from | answered |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
    TABLE_END,
  ].join('\n')
}

/** The document with the text between the markers replaced. Throws if a marker is missing. */
export function withApiTable(document: string, table: string): string {
  const start = document.indexOf(TABLE_START)
  const end = document.indexOf(TABLE_END)
  if (start < 0 || end < start) {
    throw new Error(
      `docs/protocol.md lacks the lines ${TABLE_START} and ${TABLE_END}; restore them.`,
    )
  }
  return document.slice(0, start) + table + document.slice(end + TABLE_END.length)
}

function rangeText([first, last]: VersionRange): string {
  return first === last ? `${first}` : `${first}-${last}`
}
