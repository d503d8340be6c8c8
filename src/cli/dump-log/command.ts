/** `dump-log` as a commander command, for the program that offers all tools. */
import type { Command } from 'commander'
import { runDumpLog } from './dump-log.js'
import { commandWithOptions } from './dump-options.js'
import type { ParsedOptions } from './dump-options.js'
import { PROCESS_STREAMS } from './dump-output.js'
import type { DumpLogStreams } from './dump-output.js'

/** Its action sets `process.exitCode`: see `dumpLog` for the codes. */
export function dumpLogCommand(streams: DumpLogStreams = PROCESS_STREAMS): Command {
  return commandWithOptions().action(async (options: ParsedOptions) => {
    process.exitCode = await runDumpLog(options, streams)
  })
}
