/** Bytes as Java shows them as UTF-8 text; differs from Node only in damaged text. */
import { isUtf8 } from 'node:buffer'

const REPLACEMENT = '\ufffd'
const SURROGATE_LEAD = 0xed

/**
 * Where UTF-8 encodes a surrogate (ED A0..BF and a third byte), Java puts one replacement character
 * and Node one for each byte. Everything else that is damaged looks the same.
 */
export function javaString(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  let text = ''
  let start = 0
  for (let at = bytes.indexOf(SURROGATE_LEAD); at >= 0;) {
    let next = at + 1
    if (bytes[next] !== undefined && bytes[next]! >= 0xa0 && isContinuation(bytes[next])) {
      next = isContinuation(bytes[next + 1]) ? next + 2 : next + 1
      text += bytes.toString('utf8', start, at) + REPLACEMENT
      start = next
    }
    at = bytes.indexOf(SURROGATE_LEAD, next)
  }
  return text + bytes.toString('utf8', start)
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}
