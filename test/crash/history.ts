/**
 * The history of a crash run, one JSON line an event, written by the load as it happens (reliability: the checker
 * judges the history, not the broker's word). A send is `invoke`d before the record is handed to the client, and `ok`
 * only when the broker acknowledged it; anything else stays unknown.
 */
import { readFileSync } from 'node:fs'

export interface SendInvoked {
  type: 'invoke'
  key: string
  value: string
}

export interface SendAcknowledged {
  type: 'ok'
  key: string
  value: string
  offset: number
}

/** One record that a consumer saw. `reader` is new for every consumer session. */
export interface Polled {
  type: 'poll'
  reader: string
  key: string
  value: string
  offset: number
}

export type HistoryEvent = SendInvoked | SendAcknowledged | Polled

/** A last line cut off by a crash of the load itself is left out. */
export function readHistory(path: string): HistoryEvent[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  lines.pop()
  return lines.map(line => JSON.parse(line) as HistoryEvent)
}
