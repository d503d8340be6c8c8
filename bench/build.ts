/** Compiles the load generator and the floor when one of their sources is newer. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CACHE, ROOT } from './root.js'

const BENCH = join(ROOT, 'bench')
const NATIVE = join(ROOT, 'native')
/** Sources of the data plane that the programs use too. */
const BORROWED = ['crc32c.cc', 'crc32c_fold.cc', 'endian.h'].map(name => join(NATIVE, 'base', name))
const FLAGS = ['-std=c++20', '-O2', '-march=native', '-Wall', '-Wextra', '-Wpedantic']
const STRICT = ['-Wconversion', '-Wshadow', '-Werror']

export interface Programs {
  readonly load: string
  readonly floor: string
}

export async function buildPrograms(): Promise<Programs> {
  mkdirSync(CACHE, { recursive: true })
  const [load, floor] = await Promise.all([build('load'), build('floor')])
  return { load, floor }
}

/** One program from the sources of its folder, of `wire` and the borrowed ones; returns its path. */
async function build(name: string): Promise<string> {
  const program = join(CACHE, name)
  const sources = [...sourcesOf(name), ...sourcesOf('wire'), ...BORROWED]
  const newest = Math.max(...sources.map(path => statSync(path).mtimeMs))
  if (existsSync(program) && statSync(program).mtimeMs > newest) return program
  const units = sources.filter(path => path.endsWith('.cc'))
  // Written aside and renamed, so that two runs at once do not see half a program.
  const fresh = `${program}.${process.pid}`
  const compiler = process.env['CXX'] ?? 'g++'
  await promisify(execFile)(compiler, [
    ...FLAGS,
    ...STRICT,
    '-I',
    BENCH,
    '-I',
    NATIVE,
    ...units,
    '-o',
    fresh,
  ])
  renameSync(fresh, program)
  return program
}

function sourcesOf(folder: string): string[] {
  const names = readdirSync(join(BENCH, folder))
  return names.filter(name => /\.(cc|h)$/.test(name)).map(name => join(BENCH, folder, name))
}
