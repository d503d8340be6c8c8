/** `millrace delete-records` with the options and lines of kafka-delete-records. */
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { BrokerError, messageOf } from '../../base/errors.js'
import { Admin } from '../../client/admin/admin.js'
import type { DeleteRecordsBefore } from '../../client/admin/record-admin.js'
import { UsageError } from '../failure.js'
import { checkClientConfig } from '../topics/client-config.js'
import { parseOffsetFile } from './offset-file.js'

export interface DeleteRecordsOptions {
  readonly bootstrapServer?: string
  readonly commandConfig?: string
  readonly offsetJsonFile?: string
}

export function deleteRecordsCommand(): Command {
  return new Command('delete-records')
    .description(
      'Deletes the records of partitions before given offsets, with the options of kafka-delete-records.',
    )
    .option(
      '--bootstrap-server <host:port>',
      'broker to ask (required); several separated by commas',
    )
    .option('--command-config <file>', 'properties file of client settings')
    .option(
      '--offset-json-file <file>',
      'the first offset to keep of each partition (required), -1 for none:\n' +
        '{"partitions": [{"topic": "foo", "partition": 1, "offset": 1}], "version": 1}',
    )
    .action(deleteRecords)
}

/** Runs the command. Rejects with a UsageError or with what is wrong in the file; refused partitions are printed. */
export async function deleteRecords(options: DeleteRecordsOptions): Promise<void> {
  const { bootstrapServer, commandConfig, offsetJsonFile } = options
  if (bootstrapServer === undefined) {
    throw new UsageError('--bootstrap-server is missing; name a broker, as in 127.0.0.1:9092.')
  }
  if (offsetJsonFile === undefined) throw new UsageError('--offset-json-file is missing.')
  if (commandConfig !== undefined) checkClientConfig(commandConfig)
  const ranges = parseOffsetFile(read(offsetJsonFile))
  const admin = new Admin({
    bootstrapServers: bootstrapServer,
    clientId: 'millrace-delete-records',
  })
  try {
    console.log('Executing records delete operation')
    const lines = await Promise.all(ranges.map(range => outcomeOf(admin, range)))
    console.log('Records delete operation completed:')
    for (const line of lines) console.log(line)
  } finally {
    await admin.close()
  }
}

/** Each partition by itself, so that those which are refused do not hide the log starts of the others. */
async function outcomeOf(admin: Admin, range: DeleteRecordsBefore): Promise<string> {
  const name = `${range.topic}-${range.partition}`
  try {
    const lowWatermark = (await admin.records.delete([range])).get(name)
    return `partition: ${name}\tlow_watermark: ${lowWatermark}`
  } catch (error) {
    return `partition: ${name}\terror: ${messageOf(error)}`
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new BrokerError('ERR_OFFSET_FILE', `Unable to read file ${file}: ${messageOf(error)}`, {
      cause: error,
    })
  }
}
