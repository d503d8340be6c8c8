/**
 * Stands in for native-codecs.ts in bundles for browsers (package.json, "browser"): gzip from the platform, the other
 * codecs only if they are registered (codec.ts).
 */
import type { CodecLoaders } from './codec.js'

export const codecLoaders: CodecLoaders = {
  gzip: async () => (await import('./gzip.browser.js')).gzip,
}
