/**
 * Power cuts instead of kills: the broker's folder lies on an ext4 image whose file system is shut down under it, so
 * that everything which was not synced is gone. Judged like the kill loop. Needs root and a free loop device.
 *   npx tsx test/crash/power-cut.ts [--cuts 10] [--seed N] [--control]
 * --control: with acks.all.flush=never, as a check of the check: it must find lost records.
 * The process is stopped before the cut: a sync that is under way at that moment would otherwise count as done.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { BrokerProcess } from '../support/broker-process.js'
import { killLoop } from './kill-loop.js'

const IMAGE_BYTES = 1 << 30
/** EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH: neither data nor journal is written any more. */
const SHUTDOWN = `import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587D, struct.pack("I", 2))`

const { values } = parseArgs({
  options: {
    cuts: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(process.pid) },
    control: { type: 'boolean', default: false },
  },
})
const work = mkdtempSync(join(tmpdir(), 'millrace-power-'))
const image = join(work, 'image')
const mount = join(work, 'mount')

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })
}

async function cutPower(broker: BrokerProcess): Promise<void> {
  const { pid } = broker
  process.kill(pid, 'SIGSTOP')
  while (!/^State:\tT/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) {
    await new Promise(resolve => setTimeout(resolve, 1))
  }
  run('python3', '-c', SHUTDOWN, mount)
  await broker.kill()
  run('umount', mount)
  run('mount', '-o', 'loop', image, mount)
}

writeFileSync(image, '')
truncateSync(image, IMAGE_BYTES)
mkdirSync(mount)
run('mkfs.ext4', '-q', image)
run('mount', '-o', 'loop', image, mount)
try {
  const kills = Number(values.cuts)
  console.log(`${kills} power cuts, seed ${values.seed}`)
  const folder = join(mount, 'broker')
  mkdirSync(folder)
  const settings = values.control ? { 'acks.all.flush': 'never' } : {}
  const seed = Number(values.seed)
  const result = await killLoop({ kills, seed, folder, settings, interrupt: cutPower })
  for (const violation of result.violations) console.log(violation)
  console.log(
    `${kills} power cuts, ${result.acknowledged} records acknowledged, ${result.polled} reads, ` +
      `${result.violations.length} violations`,
  )
  process.exitCode = result.violations.length > 0 !== values.control ? 1 : 0
} finally {
  run('umount', mount)
  rmSync(work, { recursive: true, force: true })
}
