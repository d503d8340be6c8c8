/** CRC-32C (Castagnoli), the checksum of record batches and producer snapshots; needs no addon. */
import { slicingCrc } from './slicing-crc.js'

/** Unsigned CRC-32C of `bytes`; a former result given as `seed` continues over the next bytes. */
export const crc32c = slicingCrc(0x82f63b78)
