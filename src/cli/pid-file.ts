/**
 * The file that tells `millrace stop` which process to stop: `millrace.pid` in the metadata dir. Its second line is
 * the start time of the process as the kernel counts it, so that a number that was given to another process since
 * is not taken for the broker.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface PidFile {
  readonly pid: number
  readonly startTime: string
}

export function pidFilePath(metadataDir: string): string {
  return join(metadataDir, 'millrace.pid')
}

/** Writes the file for this process. */
export function writePidFile(metadataDir: string): void {
  const startTime = startTimeOf(process.pid) ?? ''
  writeFileSync(pidFilePath(metadataDir), `${process.pid}\n${startTime}\n`)
}

export function removePidFile(metadataDir: string): void {
  rmSync(pidFilePath(metadataDir), { force: true })
}

/** The running broker that wrote the file; undefined: there is none. */
export function runningBroker(metadataDir: string): PidFile | undefined {
  let text: string
  try {
    text = readFileSync(pidFilePath(metadataDir), 'utf8')
  } catch {
    // No file, or not ours to read: no broker that could be stopped.
    return undefined
  }
  const [pid = '', startTime = ''] = text.split('\n')
  if (!/^[0-9]{1,10}$/.test(pid)) return undefined
  const broker = { pid: Number(pid), startTime }
  return isRunning(broker) ? broker : undefined
}

export function isRunning({ pid, startTime }: PidFile): boolean {
  return startTimeOf(pid) === startTime
}

/** Field 22 of /proc/PID/stat; the name in field 2 may hold blanks and brackets. Undefined: no such process. */
function startTimeOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie has ended; only its parent has not looked yet.
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch {
    return undefined
  }
}
