/** The options of `millrace dump-log`, which are those of Kafka's DumpLogSegments. */
import { InvalidArgumentError, Command } from 'commander'
import { BrokerError } from '../../base/errors.js'

export const INT32_MAX = 2 ** 31 - 1
const DEFAULT_MAX_MESSAGE_SIZE = 5 * 1024 * 1024
const STRING_DECODER = 'org.apache.kafka.tools.api.StringDecoder'

export interface DumpOptions {
  files: string[]
  printDataLog: boolean
  deepIteration: boolean
  verifyIndexOnly: boolean
  indexSanityCheck: boolean
  skipRecordMetadata: boolean
  maxMessageSize: number
  maxBytes: number
}

/** As commander hands them over. A decoder class without a value is `true`. */
export interface ParsedOptions {
  files?: string
  printDataLog?: boolean
  deepIteration?: boolean
  verifyIndexOnly?: boolean
  indexSanityCheck?: boolean
  skipRecordMetadata?: boolean
  maxMessageSize: number
  maxBytes: number
  keyDecoderClass?: string | true
  valueDecoderClass?: string | true
  offsetsDecoder?: boolean
  transactionLogDecoder?: boolean
  clusterMetadataDecoder?: boolean
  remoteLogMetadataDecoder?: boolean
  shareGroupStateDecoder?: boolean
}

/** A command with the options declared and no action yet. */
export function commandWithOptions(): Command {
  return new Command('dump-log')
    .description('Print the content of log segments and their indexes, and check them')
    .option('--files <file1,file2,...>', 'REQUIRED: the files to dump, separated by commas')
    .option('--print-data-log', 'print the content of records too')
    .option('--deep-iteration', 'print a line for each record, also inside compressed batches')
    .option('--verify-index-only', 'check the indexes without printing them')
    .option('--index-sanity-check', 'only check what a broker checks of an index at start')
    .option('--skip-record-metadata', 'print of records only key and value; skips control records')
    .option(
      '--max-message-size <size>',
      'size of the largest batch an index entry may point to',
      parseInt32,
      DEFAULT_MAX_MESSAGE_SIZE,
    )
    .option(
      '--max-bytes <size>',
      'read only so many bytes of each .log file',
      parseInt32,
      INT32_MAX,
    )
    .option('--key-decoder-class [class]', `decodes keys; only ${STRING_DECODER} exists here`)
    .option('--value-decoder-class [class]', `decodes values; only ${STRING_DECODER} exists here`)
    .option('--offsets-decoder', 'decode __consumer_offsets (not supported yet)')
    .option('--transaction-log-decoder', 'decode __transaction_state (not supported yet)')
    .option('--cluster-metadata-decoder', 'decode __cluster_metadata (not supported yet)')
    .option('--remote-log-metadata-decoder', 'decode __remote_log_metadata (not supported yet)')
    .option('--share-group-state-decoder', 'decode __share_group_state (not supported yet)')
}

function parseInt32(text: string): number {
  const value = Number(text)
  if (/^-?\d+$/.test(text) && Math.abs(value) <= INT32_MAX) return value
  throw new InvalidArgumentError(`It must be a whole number up to ${INT32_MAX}.`)
}

const UNSUPPORTED_DECODERS = [
  ['offsetsDecoder', '--offsets-decoder'],
  ['transactionLogDecoder', '--transaction-log-decoder'],
  ['clusterMetadataDecoder', '--cluster-metadata-decoder'],
  ['remoteLogMetadataDecoder', '--remote-log-metadata-decoder'],
  ['shareGroupStateDecoder', '--share-group-state-decoder'],
] as const

/**
 * What the options mean together. Throws ERR_USAGE for options that are wrong, ERR_NOT_SUPPORTED
 * for those of Kafka's that this tool cannot honour.
 */
export function resolveOptions(parsed: ParsedOptions): DumpOptions {
  if (parsed.files === undefined) {
    throw new BrokerError('ERR_USAGE', 'Missing required argument "[files]"')
  }
  if (parsed.maxBytes < 0 || parsed.maxMessageSize < 0) {
    throw new BrokerError('ERR_USAGE', '--max-bytes and --max-message-size cannot be negative.')
  }
  for (const [name, option] of UNSUPPORTED_DECODERS) {
    if (parsed[name] === true) throw unsupported(option)
  }
  checkDecoderClass('--key-decoder-class', parsed.keyDecoderClass)
  checkDecoderClass('--value-decoder-class', parsed.valueDecoderClass)
  const hasDecoder = parsed.keyDecoderClass !== undefined || parsed.valueDecoderClass !== undefined
  const printDataLog = parsed.printDataLog === true || hasDecoder
  return {
    files: splitFiles(parsed.files),
    printDataLog,
    deepIteration: parsed.deepIteration === true || printDataLog,
    verifyIndexOnly: parsed.verifyIndexOnly === true,
    indexSanityCheck: parsed.indexSanityCheck === true,
    skipRecordMetadata: parsed.skipRecordMetadata === true,
    maxMessageSize: parsed.maxMessageSize,
    maxBytes: parsed.maxBytes,
  }
}

function unsupported(option: string): BrokerError {
  return new BrokerError(
    'ERR_NOT_SUPPORTED',
    `${option} is not supported yet. Use --print-data-log for the raw records, ` +
      "or Kafka's own kafka-dump-log.sh, which reads the same files.",
  )
}

function checkDecoderClass(option: string, name: string | true | undefined): void {
  if (name === undefined || name === true || name === STRING_DECODER) return
  throw new BrokerError(
    'ERR_NOT_SUPPORTED',
    `${option} names the Java class ${name}, which only a JVM can run. Leave it out for ` +
      "UTF-8 text, or use Kafka's own kafka-dump-log.sh, which reads the same files.",
  )
}

/** Kafka's tool drops empty names at the end only, and writes paths without doubled slashes. */
function splitFiles(text: string): string[] {
  const files = text.split(',')
  while (files.length > 0 && files[files.length - 1] === '') files.pop()
  return files.map(file => file.replace(/\/+/g, '/').replace(/(.)\/$/, '$1'))
}
