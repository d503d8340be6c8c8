/**
 * A data plane must end with its environment, whatever stage it is in: process exit, a worker's end, garbage
 * collection. Each stage runs in a child process, whose exit code tells.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const STAGES = fileURLToPath(new URL('lifecycle-stages.ts', import.meta.url))

test.each([
  'created',
  'listening',
  'opening',
  'open',
  'connected',
  'draining',
  'closing',
  'closed',
  'collected',
  'worker',
])('process exit while %s', { timeout: 60_000 }, stage => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-lifecycle-'))
  const child = spawnSync(
    process.execPath,
    ['--expose-gc', '--import', 'tsx', STAGES, stage, folder],
    { encoding: 'utf8', timeout: 50_000 },
  )
  rmSync(folder, { recursive: true, force: true })
  expect({ status: child.status, signal: child.signal, stderr: child.stderr }).toEqual({
    status: 0,
    signal: null,
    stderr: '',
  })
  expect(child.stdout.trim()).toBe(`reached ${stage}`)
})
