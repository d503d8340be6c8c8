/**
 * Judges a history: what was acknowledged must be there, once, at the offset that was said, in order; and one offset
 * has one value for ever. `key` is a topic-partition; values are unique per key and end in a growing number.
 */
import type { HistoryEvent, Polled, SendAcknowledged } from './history.js'

export interface Verdict {
  acknowledged: number
  polled: number
  /** A sentence per violation, at most `LIMIT`. */
  violations: string[]
}

export interface CheckOptions {
  /** The producer is idempotent: a value may be in the log once. */
  idempotent: boolean
  /** The reader that read everything from the beginning after the last crash. */
  finalReader: string
}

const LIMIT = 20

export function check(history: readonly HistoryEvent[], options: CheckOptions): Verdict {
  const violations: string[] = []
  const blame = (sentence: string): void => {
    if (violations.length < LIMIT) violations.push(sentence)
  }
  const sent = new Set<string>()
  const acknowledged: SendAcknowledged[] = []
  const polled: Polled[] = []
  for (const event of history) {
    if (event.type === 'invoke') sent.add(`${event.key} ${event.value}`)
    else if (event.type === 'ok') acknowledged.push(event)
    else polled.push(event)
  }
  checkOffsets(acknowledged, polled, blame)
  checkReaders(polled, sent, blame)
  checkAcknowledged(acknowledged, polled, options, blame)
  return { acknowledged: acknowledged.length, polled: polled.length, violations }
}

type Blame = (sentence: string) => void

/** inconsistent-offsets: an offset that ever had two values, counting what acknowledgements say. */
function checkOffsets(acknowledged: SendAcknowledged[], polled: Polled[], blame: Blame): void {
  const valueAt = new Map<string, string>()
  for (const { key, offset, value } of [...acknowledged, ...polled]) {
    if (offset < 0) blame(`spurious offset: ${key} ${value} was acknowledged at ${offset}`)
    const place = `${key} ${offset}`
    const known = valueAt.get(place)
    if (known !== undefined && known !== value) {
      blame(`inconsistent offsets: ${key} has ${known} and ${value} at offset ${offset}`)
    }
    if (known === undefined) valueAt.set(place, value)
  }
}

/** A reader's offsets grow without a gap, and it sees nothing that nobody sent. */
function checkReaders(polled: Polled[], sent: ReadonlySet<string>, blame: Blame): void {
  const last = new Map<string, number>()
  for (const { reader, key, value, offset } of polled) {
    if (!sent.has(`${key} ${value}`)) blame(`invented: ${reader} read ${value}, which nobody sent`)
    const before = last.get(`${reader} ${key}`)
    if (before !== undefined && offset !== before + 1) {
      const kind = offset > before ? 'poll skip' : 'nonmonotonic poll'
      blame(`${kind}: ${reader} read ${key} offset ${offset} after ${before}`)
    }
    last.set(`${reader} ${key}`, offset)
  }
}

/** lost: acknowledged and not in the final read. duplicate: in it twice. reordered: acknowledged out of send order. */
function checkAcknowledged(
  acknowledged: SendAcknowledged[],
  polled: Polled[],
  options: CheckOptions,
  blame: Blame,
): void {
  const places = new Map<string, number[]>()
  for (const { reader, key, value, offset } of polled) {
    if (reader !== options.finalReader) continue
    const id = `${key} ${value}`
    const offsets = places.get(id)
    if (offsets === undefined) places.set(id, [offset])
    else offsets.push(offset)
  }
  for (const { key, value, offset } of acknowledged) {
    const found = places.get(`${key} ${value}`)
    if (found === undefined) blame(`lost: ${key} ${value}, acknowledged at ${offset}`)
    else if (!found.includes(offset)) {
      blame(`moved: ${key} ${value}, acknowledged at ${offset}, is at ${found.join(', ')}`)
    }
  }
  if (!options.idempotent) return
  for (const [id, offsets] of places) {
    if (offsets.length > 1) blame(`duplicate: ${id} at offsets ${offsets.join(', ')}`)
  }
  checkOrder(places, blame)
}

function checkOrder(places: ReadonlyMap<string, number[]>, blame: Blame): void {
  const byKey = new Map<string, { number: number; offset: number }[]>()
  for (const [id, offsets] of places) {
    const [key, value] = id.split(' ') as [string, string]
    const number = Number(/\d+$/.exec(value)?.[0])
    const list = byKey.get(key) ?? []
    list.push({ number, offset: offsets[0]! })
    byKey.set(key, list)
  }
  for (const [key, list] of byKey) {
    list.sort((a, b) => a.offset - b.offset)
    list.forEach((entry, i) => {
      const before = list[i - 1]
      if (before !== undefined && entry.number < before.number) {
        blame(`reordered: ${key} has ${entry.number} at ${entry.offset} behind ${before.number}`)
      }
    })
  }
}
