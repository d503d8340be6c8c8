/** The connection of a tool that needs one: checks the options that all of them share, and closes it at the end. */
import { AdminClient } from '../client/admin-client.js'
import { UsageError } from './failure.js'
import { checkClientConfig } from './topics/client-config.js'

export interface ConnectionOptions {
  readonly bootstrapServer?: string
  readonly commandConfig?: string
}

export const REQUEST_TIMEOUT_MS = 60_000

/** Runs `work` with a client of the cluster. Rejects with a UsageError, or as `work` does. */
export async function withAdmin(
  tool: string,
  { bootstrapServer, commandConfig }: ConnectionOptions,
  work: (client: AdminClient) => Promise<void>,
): Promise<void> {
  if (bootstrapServer === undefined) {
    throw new UsageError('--bootstrap-server is missing; name a broker, as in 127.0.0.1:9092.')
  }
  if (commandConfig !== undefined) checkClientConfig(commandConfig)
  const client = await AdminClient.connect(bootstrapServer, {
    clientId: `millrace-${tool}`,
    timeoutMs: REQUEST_TIMEOUT_MS,
  })
  try {
    await work(client)
  } finally {
    client.close()
  }
}
