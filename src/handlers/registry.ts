/**
 * The one list of APIs this broker serves: ApiVersions answers from it, the request pipeline dispatches by it,
 * docs and tests read it. To serve another API, add its handler file and a line here.
 */
import type { ApiKey, ApiName } from '../protocol/api-keys.js'
import { apiName } from '../protocol/api-keys.js'
import { AlterConfigsRequest, AlterConfigsResponse } from '../protocol/messages/alter-configs.js'
import {
  AlterClientQuotasRequest,
  AlterClientQuotasResponse,
} from '../protocol/messages/alter-client-quotas.js'
import { ApiVersionsRequest, ApiVersionsResponse } from '../protocol/messages/api-versions.js'
import {
  CreatePartitionsRequest,
  CreatePartitionsResponse,
} from '../protocol/messages/create-partitions.js'
import { CreateTopicsRequest, CreateTopicsResponse } from '../protocol/messages/create-topics.js'
import { DeleteRecordsRequest, DeleteRecordsResponse } from '../protocol/messages/delete-records.js'
import { DeleteTopicsRequest, DeleteTopicsResponse } from '../protocol/messages/delete-topics.js'
import {
  DescribeClientQuotasRequest,
  DescribeClientQuotasResponse,
} from '../protocol/messages/describe-client-quotas.js'
import {
  DescribeClusterRequest,
  DescribeClusterResponse,
} from '../protocol/messages/describe-cluster.js'
import {
  DescribeConfigsRequest,
  DescribeConfigsResponse,
} from '../protocol/messages/describe-configs.js'
import {
  DescribeTopicPartitionsRequest,
  DescribeTopicPartitionsResponse,
} from '../protocol/messages/describe-topic-partitions.js'
import { FetchRequest, FetchResponse } from '../protocol/messages/fetch.js'
import {
  FindCoordinatorRequest,
  FindCoordinatorResponse,
} from '../protocol/messages/find-coordinator.js'
import {
  IncrementalAlterConfigsRequest,
  IncrementalAlterConfigsResponse,
} from '../protocol/messages/incremental-alter-configs.js'
import {
  InitProducerIdRequest,
  InitProducerIdResponse,
} from '../protocol/messages/init-producer-id.js'
import {
  ListConfigResourcesRequest,
  ListConfigResourcesResponse,
} from '../protocol/messages/list-config-resources.js'
import { ListOffsetsRequest, ListOffsetsResponse } from '../protocol/messages/list-offsets.js'
import { MetadataRequest, MetadataResponse } from '../protocol/messages/metadata.js'
import {
  OffsetForLeaderEpochRequest,
  OffsetForLeaderEpochResponse,
} from '../protocol/messages/offset-for-leader-epoch.js'
import { ProduceRequest, ProduceResponse } from '../protocol/messages/produce.js'
import {
  AlterPartitionReassignmentsRequest,
  AlterPartitionReassignmentsResponse,
} from '../protocol/messages/alter-partition-reassignments.js'
import {
  DescribeLogDirsRequest,
  DescribeLogDirsResponse,
} from '../protocol/messages/describe-log-dirs.js'
import {
  DescribeProducersRequest,
  DescribeProducersResponse,
} from '../protocol/messages/describe-producers.js'
import {
  DescribeQuorumRequest,
  DescribeQuorumResponse,
} from '../protocol/messages/describe-quorum.js'
import { ElectLeadersRequest, ElectLeadersResponse } from '../protocol/messages/elect-leaders.js'
import {
  ListPartitionReassignmentsRequest,
  ListPartitionReassignmentsResponse,
} from '../protocol/messages/list-partition-reassignments.js'
import {
  UnregisterBrokerRequest,
  UnregisterBrokerResponse,
} from '../protocol/messages/unregister-broker.js'
import {
  UpdateFeaturesRequest,
  UpdateFeaturesResponse,
} from '../protocol/messages/update-features.js'
import { JoinGroupRequest, JoinGroupResponse } from '../protocol/messages/join-group.js'
import { SyncGroupRequest, SyncGroupResponse } from '../protocol/messages/sync-group.js'
import { HeartbeatRequest, HeartbeatResponse } from '../protocol/messages/heartbeat.js'
import { LeaveGroupRequest, LeaveGroupResponse } from '../protocol/messages/leave-group.js'
import { OffsetCommitRequest, OffsetCommitResponse } from '../protocol/messages/offset-commit.js'
import { OffsetFetchRequest, OffsetFetchResponse } from '../protocol/messages/offset-fetch.js'
import { OffsetDeleteRequest, OffsetDeleteResponse } from '../protocol/messages/offset-delete.js'
import { DeleteGroupsRequest, DeleteGroupsResponse } from '../protocol/messages/delete-groups.js'
import { ListGroupsRequest, ListGroupsResponse } from '../protocol/messages/list-groups.js'
import {
  ConsumerGroupDescribeRequest,
  ConsumerGroupDescribeResponse,
} from '../protocol/messages/consumer-group-describe.js'
import {
  ConsumerGroupHeartbeatRequest,
  ConsumerGroupHeartbeatResponse,
} from '../protocol/messages/consumer-group-heartbeat.js'
import {
  DescribeGroupsRequest,
  DescribeGroupsResponse,
} from '../protocol/messages/describe-groups.js'
import type { RequestSchema, ResponseSchema, VersionRange } from '../protocol/schema/message.js'
import type { ApiHandler, RequestContext, RequestFailure } from './api-handler.js'
import { alterConfigsHandler } from './alter-configs.js'
import { alterClientQuotasHandler } from './alter-client-quotas.js'
import { apiVersionsHandler } from './api-versions.js'
import { createPartitionsHandler } from './create-partitions.js'
import { createTopicsHandler } from './create-topics.js'
import { deleteRecordsHandler } from './delete-records.js'
import { deleteTopicsHandler } from './delete-topics.js'
import { describeClientQuotasHandler } from './describe-client-quotas.js'
import { describeClusterHandler } from './describe-cluster.js'
import { describeConfigsHandler } from './describe-configs.js'
import { describeTopicPartitionsHandler } from './describe-topic-partitions.js'
import { findCoordinatorHandler } from './find-coordinator.js'
import { incrementalAlterConfigsHandler } from './incremental-alter-configs.js'
import { initProducerIdHandler } from './init-producer-id.js'
import { listConfigResourcesHandler } from './list-config-resources.js'
import { listOffsetsHandler } from './list-offsets.js'
import { metadataHandler } from './metadata.js'
import { offsetForLeaderEpochHandler } from './offset-for-leader-epoch.js'
import { alterPartitionReassignmentsHandler } from './alter-partition-reassignments.js'
import { describeLogDirsHandler } from './describe-log-dirs.js'
import { describeProducersHandler } from './describe-producers.js'
import { describeQuorumHandler } from './describe-quorum.js'
import { electLeadersHandler } from './elect-leaders.js'
import { listPartitionReassignmentsHandler } from './list-partition-reassignments.js'
import { unregisterBrokerHandler } from './unregister-broker.js'
import { updateFeaturesHandler } from './update-features.js'
import { joinGroupHandler } from './join-group.js'
import { syncGroupHandler } from './sync-group.js'
import { heartbeatHandler } from './heartbeat.js'
import { leaveGroupHandler } from './leave-group.js'
import { offsetCommitHandler } from './offset-commit.js'
import { offsetFetchHandler } from './offset-fetch.js'
import { offsetDeleteHandler } from './offset-delete.js'
import { deleteGroupsHandler } from './delete-groups.js'
import { listGroupsHandler } from './list-groups.js'
import { consumerGroupDescribeHandler } from './consumer-group-describe.js'
import { consumerGroupHeartbeatHandler } from './consumer-group-heartbeat.js'
import { describeGroupsHandler } from './describe-groups.js'
import type { BrokerServices } from './services.js'

export type { ApiHandler, RequestContext, RequestFailure } from './api-handler.js'

/** A handler of any API, for who pairs it with its own schemas, as the request pipeline does. */
export interface AnyApiHandler {
  handle(request: unknown, context: RequestContext): unknown
  fail(request: unknown, failure: RequestFailure, context: RequestContext): unknown
}

export interface RegisteredApi {
  readonly apiKey: ApiKey
  readonly name: ApiName
  /** What ApiVersions lists. */
  readonly advertised: VersionRange
  /** What is served; Produce 0-2 are listed for old clients, but close the connection. */
  readonly served: VersionRange
  readonly request: RequestSchema
  readonly response: ResponseSchema
  /** Null: served by the data plane, in C++. */
  readonly handler: ((services: BrokerServices) => AnyApiHandler) | null
}

export interface ServedApi extends RegisteredApi {
  readonly instance: AnyApiHandler
}

export const registry: readonly RegisteredApi[] = [
  native(ProduceRequest, ProduceResponse),
  native(FetchRequest, FetchResponse),
  api(ListOffsetsRequest, ListOffsetsResponse, ({ logs }) => listOffsetsHandler(logs)),
  api(MetadataRequest, MetadataResponse, metadataHandler),
  api(OffsetCommitRequest, OffsetCommitResponse, ({ groups, topics }) =>
    offsetCommitHandler(groups, topics),
  ),
  api(OffsetFetchRequest, OffsetFetchResponse, ({ groups, topics }) =>
    offsetFetchHandler(groups, topics),
  ),
  api(FindCoordinatorRequest, FindCoordinatorResponse, findCoordinatorHandler),
  api(JoinGroupRequest, JoinGroupResponse, ({ groups }) => joinGroupHandler(groups)),
  api(HeartbeatRequest, HeartbeatResponse, ({ groups }) => heartbeatHandler(groups)),
  api(LeaveGroupRequest, LeaveGroupResponse, ({ groups }) => leaveGroupHandler(groups)),
  api(SyncGroupRequest, SyncGroupResponse, ({ groups }) => syncGroupHandler(groups)),
  api(DescribeGroupsRequest, DescribeGroupsResponse, ({ groups }) => describeGroupsHandler(groups)),
  api(ListGroupsRequest, ListGroupsResponse, ({ groups }) => listGroupsHandler(groups)),
  api(ApiVersionsRequest, ApiVersionsResponse, ({ cluster, features }) =>
    apiVersionsHandler(cluster, advertisedRanges(), features),
  ),
  api(CreateTopicsRequest, CreateTopicsResponse, createTopicsHandler),
  api(DeleteTopicsRequest, DeleteTopicsResponse, deleteTopicsHandler),
  api(DeleteRecordsRequest, DeleteRecordsResponse, deleteRecordsHandler),
  api(InitProducerIdRequest, InitProducerIdResponse, ({ producerIds }) =>
    initProducerIdHandler(producerIds),
  ),
  api(OffsetForLeaderEpochRequest, OffsetForLeaderEpochResponse, ({ logs }) =>
    offsetForLeaderEpochHandler(logs),
  ),
  api(ElectLeadersRequest, ElectLeadersResponse, ({ topics }) => electLeadersHandler(topics)),
  api(DescribeConfigsRequest, DescribeConfigsResponse, ({ configs }) =>
    describeConfigsHandler(configs),
  ),
  api(AlterConfigsRequest, AlterConfigsResponse, ({ configChanges }) =>
    alterConfigsHandler(configChanges),
  ),
  api(CreatePartitionsRequest, CreatePartitionsResponse, createPartitionsHandler),
  api(IncrementalAlterConfigsRequest, IncrementalAlterConfigsResponse, ({ configChanges }) =>
    incrementalAlterConfigsHandler(configChanges),
  ),
  api(DescribeLogDirsRequest, DescribeLogDirsResponse, ({ logDirs }) =>
    describeLogDirsHandler(logDirs),
  ),
  api(
    AlterPartitionReassignmentsRequest,
    AlterPartitionReassignmentsResponse,
    alterPartitionReassignmentsHandler,
  ),
  api(
    ListPartitionReassignmentsRequest,
    ListPartitionReassignmentsResponse,
    listPartitionReassignmentsHandler,
  ),
  api(DescribeQuorumRequest, DescribeQuorumResponse, describeQuorumHandler),
  api(UpdateFeaturesRequest, UpdateFeaturesResponse, ({ features }) =>
    updateFeaturesHandler(features),
  ),
  api(DescribeClientQuotasRequest, DescribeClientQuotasResponse, ({ clientQuotas }) =>
    describeClientQuotasHandler(clientQuotas),
  ),
  api(AlterClientQuotasRequest, AlterClientQuotasResponse, ({ clientQuotas }) =>
    alterClientQuotasHandler(clientQuotas),
  ),
  api(DescribeClusterRequest, DescribeClusterResponse, ({ cluster }) =>
    describeClusterHandler(cluster),
  ),
  api(DescribeProducersRequest, DescribeProducersResponse, describeProducersHandler),
  api(UnregisterBrokerRequest, UnregisterBrokerResponse, ({ cluster }) =>
    unregisterBrokerHandler(cluster),
  ),
  api(ConsumerGroupHeartbeatRequest, ConsumerGroupHeartbeatResponse, ({ groups }) =>
    consumerGroupHeartbeatHandler(groups),
  ),
  api(ConsumerGroupDescribeRequest, ConsumerGroupDescribeResponse, ({ groups }) =>
    consumerGroupDescribeHandler(groups),
  ),
  api(DescribeTopicPartitionsRequest, DescribeTopicPartitionsResponse, ({ topics, settings }) =>
    describeTopicPartitionsHandler(topics, settings),
  ),
  api(ListConfigResourcesRequest, ListConfigResourcesResponse, listConfigResourcesHandler),
  api(DeleteGroupsRequest, DeleteGroupsResponse, ({ groups }) => deleteGroupsHandler(groups)),
  api(OffsetDeleteRequest, OffsetDeleteResponse, ({ groups, topics }) =>
    offsetDeleteHandler(groups, topics),
  ),
]

/** The handlers of one broker, by API key. APIs of the data plane are not in it. */
export function createHandlers(services: BrokerServices): ReadonlyMap<number, ServedApi> {
  const served = new Map<number, ServedApi>()
  for (const entry of registry) {
    if (entry.handler === null) continue
    served.set(entry.apiKey, { ...entry, instance: entry.handler(services) })
  }
  return served
}

function advertisedRanges() {
  return registry.map(({ apiKey, advertised: [minVersion, maxVersion] }) => ({
    apiKey,
    minVersion,
    maxVersion,
  }))
}

function native(request: RequestSchema, response: ResponseSchema): RegisteredApi {
  return entryOf(request, response, null)
}

function api<Q extends RequestSchema, S extends ResponseSchema>(
  request: Q,
  response: S,
  handler: (services: BrokerServices) => ApiHandler<Q, S>,
): RegisteredApi {
  return entryOf(request, response, handler)
}

function entryOf(
  request: RequestSchema,
  response: ResponseSchema,
  handler: RegisteredApi['handler'],
): RegisteredApi {
  const { apiKey, advertised, versions } = request
  const lastServed = advertised[1]
  return {
    apiKey,
    name: apiName(apiKey),
    advertised,
    served: [versions[0], lastServed],
    request,
    response,
    handler,
  }
}
