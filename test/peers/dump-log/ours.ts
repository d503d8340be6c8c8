/** Runs our dump-log with the arguments given, for comparison with Kafka's. */
import { dumpLog } from '../../../src/cli/dump-log/dump-log.js'

process.exitCode = await dumpLog(process.argv.slice(2))
