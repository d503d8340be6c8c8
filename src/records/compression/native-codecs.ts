/** The codecs in Node, each loaded at its first use. Bundles for browsers take native-codecs.browser.ts. */
import type { CodecLoaders } from './codec.js'

export const codecLoaders: CodecLoaders = {
  gzip: async () => (await import('./gzip.js')).gzip,
  snappy: async () => (await import('./snappy.js')).snappy,
  lz4: async () => (await import('./lz4.js')).lz4,
  zstd: async () => (await import('./zstd.js')).zstd,
}
