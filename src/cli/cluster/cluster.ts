/** `millrace cluster`: prints what kafka-cluster prints. */
import { BrokerError } from '../../base/errors.js'
import { ErrorCode, errorMessage } from '../../protocol/error-codes.js'
import {
  DescribeClusterRequest,
  DescribeClusterResponse,
} from '../../protocol/messages/describe-cluster.js'
import {
  UnregisterBrokerRequest,
  UnregisterBrokerResponse,
} from '../../protocol/messages/unregister-broker.js'
import { withAdmin } from '../admin-connection.js'
import { UsageError } from '../failure.js'

export interface ClusterOptions {
  readonly bootstrapServer?: string
  readonly config?: string
}

const DESCRIBE = { request: DescribeClusterRequest, response: DescribeClusterResponse }
const ASKED = { includeClusterAuthorizedOperations: false }

export async function clusterId(options: ClusterOptions): Promise<void> {
  await withAdmin('cluster', connectionOf(options), async client => {
    const { clusterId: id } = await client.request(DESCRIBE, ASKED)
    console.log(`Cluster ID: ${id}`)
  })
}

export async function unregister(options: ClusterOptions & { readonly id: string }): Promise<void> {
  if (!/^[0-9]{1,9}$/.test(options.id)) throw new UsageError('--id must be the id of a broker.')
  const brokerId = Number(options.id)
  await withAdmin('cluster', connectionOf(options), async client => {
    const api = { request: UnregisterBrokerRequest, response: UnregisterBrokerResponse }
    const answer = await client.request(api, { brokerId })
    if (answer.errorCode !== ErrorCode.NONE) {
      const why = answer.errorMessage ?? errorMessage(answer.errorCode)
      throw new BrokerError('ERR_UNREGISTER', `Broker ${brokerId} is not unregistered: ${why}`)
    }
    console.log(`Broker ${brokerId} is no longer registered.`)
  })
}

export async function listEndpoints(
  options: ClusterOptions & { readonly includeFencedBrokers?: boolean },
): Promise<void> {
  await withAdmin('cluster', connectionOf(options), async client => {
    const includeFencedBrokers = options.includeFencedBrokers === true
    const { brokers } = await client.request(DESCRIBE, { ...ASKED, includeFencedBrokers })
    for (const line of endpointLines(brokers)) console.log(line)
  })
}

interface Endpoint {
  readonly brokerId: number
  readonly host: string
  readonly port: number
  readonly rack: string | null
  readonly isFenced: boolean
}

/** The columns of kafka-cluster; those for host and rack grow with what they hold. */
export function endpointLines(brokers: readonly Endpoint[]): string[] {
  const width = (values: readonly string[]) => Math.max(10, ...values.map(({ length }) => length))
  const hostWidth = Math.max(9, width(brokers.map(({ host }) => host)) - 1)
  const rackWidth = width(brokers.map(({ rack }) => rack ?? ''))
  const line = (...[id, host, port, rack, state, type]: readonly string[]) =>
    `${id!.padEnd(10)} ${host!.padEnd(hostWidth)} ${port!.padEnd(10)} ${rack!.padEnd(rackWidth)} ` +
    `${state!.padEnd(10)} ${type!.padEnd(15)}`
  return [
    line('ID', 'HOST', 'PORT', 'RACK', 'STATE', 'ENDPOINT_TYPE'),
    ...brokers.map(({ brokerId, host, port, rack, isFenced }) =>
      line(
        `${brokerId}`,
        host,
        `${port}`,
        rack ?? 'null',
        isFenced ? 'fenced' : 'unfenced',
        'broker',
      ),
    ),
  ]
}

function connectionOf({ bootstrapServer, config }: ClusterOptions) {
  return {
    ...(bootstrapServer !== undefined && { bootstrapServer }),
    ...(config !== undefined && { commandConfig: config }),
  }
}
