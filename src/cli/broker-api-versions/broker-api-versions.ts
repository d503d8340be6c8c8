/** `millrace broker-api-versions`: what each broker serves, and which version this client would use. */
import { apis } from '../../protocol/apis.js'
import { ApiVersionsRequest, ApiVersionsResponse } from '../../protocol/messages/api-versions.js'
import {
  DescribeClusterRequest,
  DescribeClusterResponse,
} from '../../protocol/messages/describe-cluster.js'
import { type ConnectionOptions, withAdmin } from '../admin-connection.js'

interface Range {
  readonly apiKey: number
  readonly minVersion: number
  readonly maxVersion: number
}

export async function brokerApiVersions(options: ConnectionOptions): Promise<void> {
  await withAdmin('broker-api-versions', options, async client => {
    const cluster = { request: DescribeClusterRequest, response: DescribeClusterResponse }
    const { brokers } = await client.request(cluster, { includeClusterAuthorizedOperations: false })
    for (const { brokerId, host, port, rack, isFenced } of brokers) {
      const address = `${host}:${port}`
      await withAdmin(
        'broker-api-versions',
        { ...options, bootstrapServer: address },
        async broker => {
          const versions = { request: ApiVersionsRequest, response: ApiVersionsResponse }
          const software = { clientSoftwareName: 'millrace', clientSoftwareVersion: '0.1' }
          const { apiKeys } = await broker.request(versions, software)
          console.log(
            `${address} (id: ${brokerId} rack: ${rack ?? 'null'} isFenced: ${isFenced}) -> (`,
          )
          console.log(linesOf(apiKeys).join(',\n'))
          console.log(')')
        },
      )
    }
  })
}

/** One for each API that the client or the broker knows, in the order of their keys. */
export function linesOf(served: readonly Range[]): string[] {
  const ranges = new Map(served.map(each => [each.apiKey, each]))
  const known = new Map(
    apis.map(({ name, request }) => [request.apiKey as number, { name, request }]),
  )
  const keys = [...new Set([...known.keys(), ...ranges.keys()])].sort((a, b) => a - b)
  return keys.map(key => {
    const range = ranges.get(key)
    const api = known.get(key)
    const title = `\t${api?.name ?? 'UNKNOWN'}(${key}): `
    if (range === undefined) return `${title}UNSUPPORTED`
    const { minVersion, maxVersion } = range
    const text = minVersion === maxVersion ? `${minVersion}` : `${minVersion} to ${maxVersion}`
    if (api === undefined) return `${title}${text}`
    const [first, last] = api.request.advertised
    const usable = Math.min(last, maxVersion)
    const isUsable = usable >= Math.max(first, minVersion)
    return `${title}${text} [usable: ${isUsable ? usable : 'NONE'}]`
  })
}
