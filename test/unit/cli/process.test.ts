/** Protects the files and settings by which `stop` finds the broker that `start` started, and exit codes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommanderError } from 'commander'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BrokerError } from '../../../src/base/errors.js'
import { UsageError, exitCodeOf } from '../../../src/cli/failure.js'
import {
  pidFilePath,
  removePidFile,
  runningBroker,
  writePidFile,
} from '../../../src/cli/pid-file.js'
import { createProgram } from '../../../src/cli/program.js'
import { settingsOf } from '../../../src/cli/settings.js'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-cli-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

test('a written pid file names this process until it is removed', () => {
  writePidFile(folder)
  expect(runningBroker(folder)?.pid).toBe(process.pid)
  removePidFile(folder)
  expect(runningBroker(folder)).toBeUndefined()
})

test('a process that has the number of a dead broker is not taken for it', () => {
  writeFileSync(pidFilePath(folder), `${process.pid}\n1\n`)
  expect(runningBroker(folder)).toBeUndefined()
  writeFileSync(pidFilePath(folder), 'nonsense')
  expect(runningBroker(folder)).toBeUndefined()
})

test('without a file the data lies under the current directory, unless log dirs are named', () => {
  const plain = settingsOf(undefined, { override: [] })
  expect(plain.logDirs).toEqual([join(process.cwd(), 'data/log')])
  expect(plain.metadataDir).toBe(join(process.cwd(), 'data/metadata'))
  const named = settingsOf(undefined, { override: [`log.dirs=${folder}/logs`] })
  expect(named.logDirs).toEqual([`${folder}/logs`])
  expect(named.metadataDir).toBe(`${folder}/logs-metadata`)
})

test('exit codes: 0 for help, 1 for failures, 2 for wrong command lines', () => {
  expect(exitCodeOf(new CommanderError(0, 'commander.helpDisplayed', ''))).toBe(0)
  expect(exitCodeOf(new CommanderError(0, 'commander.version', ''))).toBe(0)
  expect(exitCodeOf(new CommanderError(1, 'commander.unknownOption', ''))).toBe(2)
  expect(exitCodeOf(new UsageError('x'))).toBe(2)
  expect(exitCodeOf(new BrokerError('ERR_X', 'x'))).toBe(1)
  expect(exitCodeOf(new TypeError('x'))).toBe(1)
})

test('a misspelt command or option is answered with the nearest', async () => {
  const errors: string[] = []
  const run = (...args: string[]) => {
    const program = createProgram()
    for (const command of [program, ...program.commands]) {
      command.exitOverride().configureOutput({ writeErr: text => errors.push(text) })
    }
    return program.parseAsync(args, { from: 'user' })
  }
  await expect(run('strat')).rejects.toThrow(CommanderError)
  await expect(run('topics', '--lst')).rejects.toThrow(CommanderError)
  expect(errors.join('')).toMatch(/Did you mean start\?[\s\S]*Did you mean --list\?/)
})
