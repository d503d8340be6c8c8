/**
 * Kafka's Uuid: 16 bytes, written as URL-safe base64 of 22 characters without padding.
 * The control plane handles the text form; the wire and the data plane the bytes.
 */

export type Uuid = string & { readonly __brand: 'Uuid' }

export const ZERO_UUID = 'AAAAAAAAAAAAAAAAAAAAAA' as Uuid
const ONE_UUID = 'AAAAAAAAAAAAAAAAAAAAAQ'
const UUID_PATTERN = /^[A-Za-z0-9_-]{22}$/

/** A random version-4 Uuid; like Kafka's, never one whose text starts with a dash (tools take it for an option). */
export function randomUuid(): Uuid {
  for (;;) {
    // Web Crypto, which browsers have as well: the client imports this file.
    const bytes = crypto.getRandomValues(new Uint8Array(16))
    bytes[6] = (bytes[6]! & 0x0f) | 0x40
    bytes[8] = (bytes[8]! & 0x3f) | 0x80
    const text = uuidFromBytes(bytes)
    if (!text.startsWith('-') && text !== ZERO_UUID && text !== ONE_UUID) return text
  }
}

/** The text of 16 bytes. */
export function uuidFromBytes(bytes: Uint8Array): Uuid {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url') as Uuid
}

/** The 16 bytes of a text form that `isUuid` accepts. */
export function uuidToBytes(uuid: Uuid): Buffer {
  return Buffer.from(uuid, 'base64url')
}

export function isUuid(text: string): text is Uuid {
  return UUID_PATTERN.test(text) && Buffer.from(text, 'base64url').length === 16
}
