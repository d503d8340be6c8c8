// Builds the addon with node-gyp at `npm install`. Node's own headers are taken from beside its binary where they
// lie there (distribution packages, tarballs), so that nothing is downloaded; elsewhere node-gyp fetches them.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const prefix = join(dirname(process.execPath), '..')
const command = ['rebuild', '--silent', `--jobs=${Math.max(1, cpus().length)}`]
if (existsSync(join(prefix, 'include/node/node_api.h'))) command.push(`--nodedir=${prefix}`)

const built = spawnSync('node-gyp', command, { cwd: root, stdio: 'inherit' })
if (built.error) {
  console.error(`millrace: node-gyp could not be started (${built.error.message}).`)
  console.error('Run this through npm, which brings node-gyp: npm run install')
  process.exit(1)
}
if (built.status !== 0) {
  console.error(
    'millrace: building the native addon failed. It needs Linux, g++ 11 or newer, make and python3',
  )
  console.error('(Debian and Ubuntu: apt-get install g++ make python3). Then run: npm install')
}
process.exit(built.status ?? 1)
