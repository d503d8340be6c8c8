/** The entities of a kind that are there, sorted: those that exist by themselves and those that have settings. */
import type { AdminClient } from '../../client/admin-client.js'
import { ErrorCode } from '../../protocol/error-codes.js'
import {
  DescribeClusterRequest,
  DescribeClusterResponse,
} from '../../protocol/messages/describe-cluster.js'
import {
  ListConfigResourcesRequest,
  ListConfigResourcesResponse,
} from '../../protocol/messages/list-config-resources.js'
import { ListGroupsRequest, ListGroupsResponse } from '../../protocol/messages/list-groups.js'
import { MetadataRequest, MetadataResponse } from '../../protocol/messages/metadata.js'
import { refusal } from './config-resource.js'
import { BROKERS, BROKER_LOGGERS, type EntityKind, GROUPS, TOPICS } from './entities.js'

export async function existingEntities(client: AdminClient, kind: EntityKind): Promise<string[]> {
  return [...new Set(await namesOf(client, kind))].sort()
}

async function namesOf(client: AdminClient, kind: EntityKind): Promise<string[]> {
  switch (kind) {
    case TOPICS:
      return topics(client)
    case BROKERS:
    case BROKER_LOGGERS:
      return brokers(client)
    case GROUPS:
      return [...(await groups(client)), ...(await withSettings(client, GROUPS))]
    default:
      return withSettings(client, kind)
  }
}

async function topics(client: AdminClient): Promise<string[]> {
  const api = { request: MetadataRequest, response: MetadataResponse }
  const metadata = await client.request(api, { topics: null, allowAutoTopicCreation: false })
  return metadata.topics.flatMap(({ name }) => (name === null ? [] : [name]))
}

async function brokers(client: AdminClient): Promise<string[]> {
  const api = { request: DescribeClusterRequest, response: DescribeClusterResponse }
  const cluster = await client.request(api, { includeClusterAuthorizedOperations: false })
  if (cluster.errorCode !== ErrorCode.NONE) throw refusal(cluster.errorCode, cluster.errorMessage)
  return cluster.brokers.map(({ brokerId }) => String(brokerId))
}

/** None from a broker that has no groups. */
async function groups(client: AdminClient): Promise<string[]> {
  const api = { request: ListGroupsRequest, response: ListGroupsResponse }
  if (!client.serves(api.request)) return []
  const listed = await client.request(api, {})
  if (listed.errorCode !== ErrorCode.NONE) throw refusal(listed.errorCode, null)
  return listed.groups.map(({ groupId }) => groupId)
}

/** Before v1 of ListConfigResources (KIP-1142) a broker lists client metrics only. */
async function withSettings(client: AdminClient, { resourceType }: EntityKind): Promise<string[]> {
  const api = { request: ListConfigResourcesRequest, response: ListConfigResourcesResponse }
  const listed = await client.request(api, version =>
    version === 0 ? {} : { resourceTypes: [resourceType] },
  )
  if (listed.errorCode !== ErrorCode.NONE) throw refusal(listed.errorCode, null)
  return listed.configResources
    .filter(resource => resource.resourceType === resourceType)
    .map(({ resourceName }) => resourceName)
}
