/** The file of --command-config: accepted as Kafka's tools take it, as long as it asks for plain connections. */
import { readFileSync } from 'node:fs'
import { BrokerError, messageOf } from '../../base/errors.js'
import { parseProperties } from '../../config/properties-file.js'

/** Throws ERR_CLIENT_CONFIG if the file cannot be read or asks for security that this tool does not speak. */
export function checkClientConfig(file: string): void {
  const protocol = read(file).findLast(({ key }) => key === 'security.protocol')
  if (protocol === undefined || protocol.value.trim().toUpperCase() === 'PLAINTEXT') return
  throw new BrokerError(
    'ERR_CLIENT_CONFIG',
    `${file}:${protocol.line}: security.protocol=${protocol.value} is not built yet. ` +
      'Use a PLAINTEXT listener.',
  )
}

function read(file: string) {
  try {
    return parseProperties(readFileSync(file, 'utf8'), file)
  } catch (error) {
    if (error instanceof BrokerError) throw error
    throw new BrokerError(
      'ERR_CLIENT_CONFIG',
      `Cannot read the client settings from ${file}: ${messageOf(error)}.`,
      { cause: error },
    )
  }
}
