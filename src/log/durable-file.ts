/**
 * Replaces and removes small files so that a crash leaves the old or the new content, never a
 * mixture: write `<name>.tmp`, sync it, rename it, sync the folder.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Durable when the promise resolves; does not block the event loop. */
export async function replaceFile(path: string, content: string): Promise<void> {
  const temporary = `${path}.tmp`
  const file = await open(temporary, 'w', 0o644)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
  await syncFolder(dirname(path))
}

/** As `replaceFile`, on the calling thread. */
export function replaceFileSync(path: string, content: string): void {
  const temporary = `${path}.tmp`
  const file = openSync(temporary, 'w', 0o644)
  try {
    const bytes = Buffer.from(content)
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
  syncFolderSync(dirname(path))
}

/** Removes a file that may be missing; it stays removed after a crash. */
export function removeFileSync(path: string): void {
  rmSync(path, { force: true })
  syncFolderSync(dirname(path))
}

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

export function syncFolderSync(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
