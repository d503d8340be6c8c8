/** The files of the repository as the tidy tests see them: tracked and new ones, without what git ignores. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})

/** Paths relative to the root, with forward slashes. A file deleted but not yet committed is left out. */
export const files: readonly string[] = [...new Set(listed.split('\n'))]
  .filter(path => path !== '' && readable(path))
  .sort()

export function filesIn(folder: string, ...endings: string[]): string[] {
  return files.filter(f => f.startsWith(`${folder}/`) && endings.some(e => f.endsWith(e)))
}

export function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

export function linesOf(path: string): string[] {
  return textOf(path).replace(/\n$/, '').split('\n')
}

/** The files of ours that a TypeScript file imports. */
export function importsOf(path: string): string[] {
  const targets: string[] = []
  for (const [, specifier] of textOf(path).matchAll(
    /(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g,
  )) {
    targets.push(normalize(join(dirname(path), specifier!)).replace(/\.js$/, '.ts'))
  }
  return targets
}

function readable(path: string): boolean {
  try {
    readFileSync(join(ROOT, path))
    return true
  } catch {
    return false
  }
}
