/**
 * `millrace dump-log`: prints log segments and their indexes in the words of Kafka's
 * DumpLogSegments, so that scripts written for it keep working. Reads files only, changes none, and
 * needs no broker.
 */
import { basename } from 'node:path'
import { CommanderError } from 'commander'
import { codeOf, messageOf } from '../../base/errors.js'
import { dumpDataLog } from './dump-data-log.js'
import type { DumpContext } from './dump-data-log.js'
import { DumpFindings } from './dump-findings.js'
import { dumpOffsetIndex } from './dump-offset-index.js'
import { commandWithOptions, resolveOptions } from './dump-options.js'
import type { DumpOptions, ParsedOptions } from './dump-options.js'
import { DumpOutput, PROCESS_STREAMS } from './dump-output.js'
import type { DumpLogStreams } from './dump-output.js'
import { dumpProducerSnapshot } from './dump-producer-snapshot.js'
import { dumpTimeIndex } from './dump-time-index.js'
import { dumpTxnIndex } from './dump-txn-index.js'

const EXIT_FAILED = 1
const EXIT_NOT_SUPPORTED = 2

/**
 * Runs the tool with the arguments behind `dump-log` and resolves to the exit code: 0, also if the
 * files have findings; 1 if a file or the arguments could not be read; 2 for what is not supported.
 * Never rejects.
 */
export async function dumpLog(
  argv: readonly string[],
  streams: DumpLogStreams = PROCESS_STREAMS,
): Promise<number> {
  let exitCode = 0
  const command = commandWithOptions()
    .exitOverride()
    .configureOutput({
      writeOut: text => streams.stdout.write(text),
      writeErr: text => streams.stderr.write(text),
    })
    .action(async (options: ParsedOptions) => {
      exitCode = await runDumpLog(options, streams)
    })
  try {
    await command.parseAsync(argv, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    throw error
  }
  return exitCode
}

/** Runs the tool with options that are parsed already; otherwise as `dumpLog`. */
export async function runDumpLog(parsed: ParsedOptions, streams: DumpLogStreams): Promise<number> {
  const out = new DumpOutput(streams)
  try {
    await dumpFiles(resolveOptions(parsed), out)
    return 0
  } catch (error) {
    await out.error(messageOf(error))
    return codeOf(error) === 'ERR_NOT_SUPPORTED' ? EXIT_NOT_SUPPORTED : EXIT_FAILED
  }
}

async function dumpFiles(options: DumpOptions, out: DumpOutput): Promise<void> {
  const findings = new DumpFindings()
  const context: DumpContext = { options, out, findings }
  for (const file of options.files) {
    out.println(`Dumping ${file}`)
    await dumpFile(file, context)
  }
  await out.flush()
  await findings.print(out)
}

async function dumpFile(file: string, context: DumpContext): Promise<void> {
  const name = basename(file)
  switch (name.slice(name.lastIndexOf('.'))) {
    case '.log':
    case '.checkpoint':
      return dumpDataLog(file, context)
    case '.index':
      return dumpOffsetIndex(file, context)
    case '.timeindex':
      return dumpTimeIndex(file, context)
    case '.txnindex':
      return dumpTxnIndex(file, context)
    case '.snapshot':
      return dumpProducerSnapshot(file, context)
    default:
      return context.out.error(`Ignoring unknown file ${file}`)
  }
}
