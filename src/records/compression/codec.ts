/**
 * The compression codecs of record batches, chosen by the three low bits of the attributes. Each
 * codec is one file beside this one and loaded at first use (native-codecs.ts), so that a broker
 * that never needs one never pays for it.
 */
import { BrokerError } from '../../base/errors.js'
import { codecLoaders } from './native-codecs.js'

export const CODEC_NAMES = ['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const

export type CodecName = (typeof CODEC_NAMES)[number]

/**
 * One codec. Both directions run off the JavaScript thread; the input must not change meanwhile.
 */
export interface Codec {
  compress(bytes: Buffer): Promise<Buffer>
  /**
   * Rejects with ERR_RECORD_CORRUPT for damaged input and with ERR_DECOMPRESSED_TOO_LARGE before
   * more than about `maxBytes` (a codec may add one block of its own) were allocated.
   */
  decompress(bytes: Buffer, maxBytes: number): Promise<Buffer>
}

/** The most a batch may unpack to where the caller sets no bound of its own. */
export const MAX_DECOMPRESSED_BYTES = 512 * 1024 * 1024

const CODEC_MASK = 0x07

/** Throws ERR_UNSUPPORTED_COMPRESSION for the numbers 5 to 7, which Kafka does not define. */
export function codecFromAttributes(attributes: number): CodecName {
  const id = attributes & CODEC_MASK
  const name = CODEC_NAMES[id]
  if (name !== undefined) return name
  throw new BrokerError(
    'ERR_UNSUPPORTED_COMPRESSION',
    `The compression codec ${id} is unknown; Kafka defines 0 (none) to 4 (zstd).`,
  )
}

export function codecId(name: CodecName): number {
  return CODEC_NAMES.indexOf(name)
}

export async function compress(name: CodecName, bytes: Buffer): Promise<Buffer> {
  return name === 'none' ? bytes : (await loadCodec(name)).compress(bytes)
}

/** Unpacks the record bytes of a batch; see `Codec.decompress` for the bound and the errors. */
export async function decompress(
  name: CodecName,
  bytes: Buffer,
  maxBytes: number = MAX_DECOMPRESSED_BYTES,
): Promise<Buffer> {
  if (name === 'none') return bytes
  const unpacked = await (await loadCodec(name)).decompress(bytes, maxBytes)
  if (unpacked.length > maxBytes) throw decompressedTooLarge(name, maxBytes)
  return unpacked
}

/** What can be loaded; codecs that are missing have to be registered. */
export type CodecLoaders = { readonly [name in Exclude<CodecName, 'none'>]?: () => Promise<Codec> }

const registered = new Map<CodecName, Codec>()

/** Uses `codec` for a name from now on, in place of the built-in one or where there is none (browsers). */
export function registerCodec(name: Exclude<CodecName, 'none'>, codec: Codec): void {
  registered.set(name, codec)
}

async function loadCodec(name: Exclude<CodecName, 'none'>): Promise<Codec> {
  const own = registered.get(name)
  if (own !== undefined) return own
  const load = codecLoaders[name]
  if (load !== undefined) return load()
  throw new BrokerError(
    'ERR_UNSUPPORTED_COMPRESSION',
    `There is no ${name} codec here. Register one with registerCodec('${name}', codec).`,
  )
}

export function decompressedTooLarge(name: CodecName, maxBytes: number): BrokerError {
  return new BrokerError(
    'ERR_DECOMPRESSED_TOO_LARGE',
    `The ${name} data of a batch unpacks to more than the allowed ${maxBytes} bytes; ` +
      `it was left packed. Raise the limit if the data is trusted.`,
  )
}
