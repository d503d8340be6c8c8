/** Where the repository is, and where the bench keeps what it builds and writes. */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))

/** Not in build: node-gyp empties that whenever the addon is built anew. */
export const CACHE = join(ROOT, 'node_modules', '.cache', 'millrace-bench')
