/**
 * Makes a folder and the ones above it. Node's own recursive mkdir never returns where a parent exists
 * and refuses children with ENOENT, as /proc does; here that is an error like any other.
 */
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf } from './errors.js'

/** An existing folder is fine. Throws Node's system errors. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && statSync(path).isDirectory()) return
    const parent = dirname(path)
    if (codeOf(error) !== 'ENOENT' || parent === path || existsSync(parent)) throw error
    makeFolder(parent)
    mkdirSync(path)
  }
}
