/** CRC-32 (IEEE), the checksum of the legacy messages of magic 0 and 1. */
import { slicingCrc } from './slicing-crc.js'

/** Unsigned CRC-32 of `bytes`; a former result given as `seed` continues over the next bytes. */
export const crc32 = slicingCrc(0xedb88320)
