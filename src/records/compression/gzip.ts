/** gzip through Node's own zlib, which bounds its output itself. */
import { gunzip, gzip as zlibGzip } from 'node:zlib'
import { codeOf, messageOf } from '../../base/errors.js'
import { corruptRecord } from '../record.js'
import { decompressedTooLarge } from './codec.js'
import type { Codec } from './codec.js'

export const gzip: Codec = {
  compress(bytes) {
    return new Promise((resolve, reject) => {
      zlibGzip(bytes, (error, packed) => (error === null ? resolve(packed) : reject(error)))
    })
  },

  decompress(bytes, maxBytes) {
    return new Promise((resolve, reject) => {
      gunzip(bytes, { maxOutputLength: Math.max(1, maxBytes) }, (error, unpacked) => {
        if (error === null) resolve(unpacked)
        else if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') {
          reject(decompressedTooLarge('gzip', maxBytes))
        } else reject(corruptRecord(`The gzip data of a batch is damaged: ${messageOf(error)}.`))
      })
    })
  },
}
