/**
 * All APIs a broker serves to clients, with both schemas. Importing this loads every message file,
 * so the running broker imports single messages instead; this table is for tools, tests, docs and
 * generators.
 */
import { AddOffsetsToTxnRequest, AddOffsetsToTxnResponse } from './messages/add-offsets-to-txn.js'
import {
  AddPartitionsToTxnRequest,
  AddPartitionsToTxnResponse,
} from './messages/add-partitions-to-txn.js'
import { AddRaftVoterRequest, AddRaftVoterResponse } from './messages/add-raft-voter.js'
import {
  AlterClientQuotasRequest,
  AlterClientQuotasResponse,
} from './messages/alter-client-quotas.js'
import { AlterConfigsRequest, AlterConfigsResponse } from './messages/alter-configs.js'
import {
  AlterPartitionReassignmentsRequest,
  AlterPartitionReassignmentsResponse,
} from './messages/alter-partition-reassignments.js'
import {
  AlterReplicaLogDirsRequest,
  AlterReplicaLogDirsResponse,
} from './messages/alter-replica-log-dirs.js'
import {
  AlterShareGroupOffsetsRequest,
  AlterShareGroupOffsetsResponse,
} from './messages/alter-share-group-offsets.js'
import {
  AlterUserScramCredentialsRequest,
  AlterUserScramCredentialsResponse,
} from './messages/alter-user-scram-credentials.js'
import { ApiVersionsRequest, ApiVersionsResponse } from './messages/api-versions.js'
import {
  ConsumerGroupDescribeRequest,
  ConsumerGroupDescribeResponse,
} from './messages/consumer-group-describe.js'
import {
  ConsumerGroupHeartbeatRequest,
  ConsumerGroupHeartbeatResponse,
} from './messages/consumer-group-heartbeat.js'
import { CreateAclsRequest, CreateAclsResponse } from './messages/create-acls.js'
import {
  CreateDelegationTokenRequest,
  CreateDelegationTokenResponse,
} from './messages/create-delegation-token.js'
import { CreatePartitionsRequest, CreatePartitionsResponse } from './messages/create-partitions.js'
import { CreateTopicsRequest, CreateTopicsResponse } from './messages/create-topics.js'
import { DeleteAclsRequest, DeleteAclsResponse } from './messages/delete-acls.js'
import { DeleteGroupsRequest, DeleteGroupsResponse } from './messages/delete-groups.js'
import { DeleteRecordsRequest, DeleteRecordsResponse } from './messages/delete-records.js'
import {
  DeleteShareGroupOffsetsRequest,
  DeleteShareGroupOffsetsResponse,
} from './messages/delete-share-group-offsets.js'
import {
  DeleteShareGroupStateRequest,
  DeleteShareGroupStateResponse,
} from './messages/delete-share-group-state.js'
import { DeleteTopicsRequest, DeleteTopicsResponse } from './messages/delete-topics.js'
import { DescribeAclsRequest, DescribeAclsResponse } from './messages/describe-acls.js'
import {
  DescribeClientQuotasRequest,
  DescribeClientQuotasResponse,
} from './messages/describe-client-quotas.js'
import { DescribeClusterRequest, DescribeClusterResponse } from './messages/describe-cluster.js'
import { DescribeConfigsRequest, DescribeConfigsResponse } from './messages/describe-configs.js'
import {
  DescribeDelegationTokenRequest,
  DescribeDelegationTokenResponse,
} from './messages/describe-delegation-token.js'
import { DescribeGroupsRequest, DescribeGroupsResponse } from './messages/describe-groups.js'
import { DescribeLogDirsRequest, DescribeLogDirsResponse } from './messages/describe-log-dirs.js'
import {
  DescribeProducersRequest,
  DescribeProducersResponse,
} from './messages/describe-producers.js'
import { DescribeQuorumRequest, DescribeQuorumResponse } from './messages/describe-quorum.js'
import {
  DescribeShareGroupOffsetsRequest,
  DescribeShareGroupOffsetsResponse,
} from './messages/describe-share-group-offsets.js'
import {
  DescribeTopicPartitionsRequest,
  DescribeTopicPartitionsResponse,
} from './messages/describe-topic-partitions.js'
import {
  DescribeTransactionsRequest,
  DescribeTransactionsResponse,
} from './messages/describe-transactions.js'
import {
  DescribeUserScramCredentialsRequest,
  DescribeUserScramCredentialsResponse,
} from './messages/describe-user-scram-credentials.js'
import { ElectLeadersRequest, ElectLeadersResponse } from './messages/elect-leaders.js'
import { EndTxnRequest, EndTxnResponse } from './messages/end-txn.js'
import {
  ExpireDelegationTokenRequest,
  ExpireDelegationTokenResponse,
} from './messages/expire-delegation-token.js'
import { FetchRequest, FetchResponse } from './messages/fetch.js'
import { FindCoordinatorRequest, FindCoordinatorResponse } from './messages/find-coordinator.js'
import {
  GetTelemetrySubscriptionsRequest,
  GetTelemetrySubscriptionsResponse,
} from './messages/get-telemetry-subscriptions.js'
import { HeartbeatRequest, HeartbeatResponse } from './messages/heartbeat.js'
import {
  IncrementalAlterConfigsRequest,
  IncrementalAlterConfigsResponse,
} from './messages/incremental-alter-configs.js'
import { InitProducerIdRequest, InitProducerIdResponse } from './messages/init-producer-id.js'
import {
  InitializeShareGroupStateRequest,
  InitializeShareGroupStateResponse,
} from './messages/initialize-share-group-state.js'
import { JoinGroupRequest, JoinGroupResponse } from './messages/join-group.js'
import { LeaveGroupRequest, LeaveGroupResponse } from './messages/leave-group.js'
import {
  ListConfigResourcesRequest,
  ListConfigResourcesResponse,
} from './messages/list-config-resources.js'
import { ListGroupsRequest, ListGroupsResponse } from './messages/list-groups.js'
import { ListOffsetsRequest, ListOffsetsResponse } from './messages/list-offsets.js'
import {
  ListPartitionReassignmentsRequest,
  ListPartitionReassignmentsResponse,
} from './messages/list-partition-reassignments.js'
import { ListTransactionsRequest, ListTransactionsResponse } from './messages/list-transactions.js'
import { MetadataRequest, MetadataResponse } from './messages/metadata.js'
import { OffsetCommitRequest, OffsetCommitResponse } from './messages/offset-commit.js'
import { OffsetDeleteRequest, OffsetDeleteResponse } from './messages/offset-delete.js'
import { OffsetFetchRequest, OffsetFetchResponse } from './messages/offset-fetch.js'
import {
  OffsetForLeaderEpochRequest,
  OffsetForLeaderEpochResponse,
} from './messages/offset-for-leader-epoch.js'
import { ProduceRequest, ProduceResponse } from './messages/produce.js'
import { PushTelemetryRequest, PushTelemetryResponse } from './messages/push-telemetry.js'
import {
  ReadShareGroupStateRequest,
  ReadShareGroupStateResponse,
} from './messages/read-share-group-state.js'
import {
  ReadShareGroupStateSummaryRequest,
  ReadShareGroupStateSummaryResponse,
} from './messages/read-share-group-state-summary.js'
import { RemoveRaftVoterRequest, RemoveRaftVoterResponse } from './messages/remove-raft-voter.js'
import {
  RenewDelegationTokenRequest,
  RenewDelegationTokenResponse,
} from './messages/renew-delegation-token.js'
import { SaslAuthenticateRequest, SaslAuthenticateResponse } from './messages/sasl-authenticate.js'
import { SaslHandshakeRequest, SaslHandshakeResponse } from './messages/sasl-handshake.js'
import { ShareAcknowledgeRequest, ShareAcknowledgeResponse } from './messages/share-acknowledge.js'
import { ShareFetchRequest, ShareFetchResponse } from './messages/share-fetch.js'
import {
  ShareGroupDescribeRequest,
  ShareGroupDescribeResponse,
} from './messages/share-group-describe.js'
import {
  ShareGroupHeartbeatRequest,
  ShareGroupHeartbeatResponse,
} from './messages/share-group-heartbeat.js'
import {
  StreamsGroupDescribeRequest,
  StreamsGroupDescribeResponse,
} from './messages/streams-group-describe.js'
import {
  StreamsGroupHeartbeatRequest,
  StreamsGroupHeartbeatResponse,
} from './messages/streams-group-heartbeat.js'
import {
  StreamsGroupTopologyDescriptionUpdateRequest,
  StreamsGroupTopologyDescriptionUpdateResponse,
} from './messages/streams-group-topology-description-update.js'
import { SyncGroupRequest, SyncGroupResponse } from './messages/sync-group.js'
import { TxnOffsetCommitRequest, TxnOffsetCommitResponse } from './messages/txn-offset-commit.js'
import { UnregisterBrokerRequest, UnregisterBrokerResponse } from './messages/unregister-broker.js'
import {
  UnregisterControllerRequest,
  UnregisterControllerResponse,
} from './messages/unregister-controller.js'
import { UpdateFeaturesRequest, UpdateFeaturesResponse } from './messages/update-features.js'
import {
  WriteShareGroupStateRequest,
  WriteShareGroupStateResponse,
} from './messages/write-share-group-state.js'
import { WriteTxnMarkersRequest, WriteTxnMarkersResponse } from './messages/write-txn-markers.js'
import { apiName, type ApiName } from './api-keys.js'
import type { RequestSchema, ResponseSchema } from './schema/message.js'

export interface ApiSchemas {
  readonly name: ApiName
  readonly request: RequestSchema
  readonly response: ResponseSchema
}

/** In the order of their keys. */
export const apis: readonly ApiSchemas[] = [
  api(ProduceRequest, ProduceResponse),
  api(FetchRequest, FetchResponse),
  api(ListOffsetsRequest, ListOffsetsResponse),
  api(MetadataRequest, MetadataResponse),
  api(OffsetCommitRequest, OffsetCommitResponse),
  api(OffsetFetchRequest, OffsetFetchResponse),
  api(FindCoordinatorRequest, FindCoordinatorResponse),
  api(JoinGroupRequest, JoinGroupResponse),
  api(HeartbeatRequest, HeartbeatResponse),
  api(LeaveGroupRequest, LeaveGroupResponse),
  api(SyncGroupRequest, SyncGroupResponse),
  api(DescribeGroupsRequest, DescribeGroupsResponse),
  api(ListGroupsRequest, ListGroupsResponse),
  api(SaslHandshakeRequest, SaslHandshakeResponse),
  api(ApiVersionsRequest, ApiVersionsResponse),
  api(CreateTopicsRequest, CreateTopicsResponse),
  api(DeleteTopicsRequest, DeleteTopicsResponse),
  api(DeleteRecordsRequest, DeleteRecordsResponse),
  api(InitProducerIdRequest, InitProducerIdResponse),
  api(OffsetForLeaderEpochRequest, OffsetForLeaderEpochResponse),
  api(AddPartitionsToTxnRequest, AddPartitionsToTxnResponse),
  api(AddOffsetsToTxnRequest, AddOffsetsToTxnResponse),
  api(EndTxnRequest, EndTxnResponse),
  api(WriteTxnMarkersRequest, WriteTxnMarkersResponse),
  api(TxnOffsetCommitRequest, TxnOffsetCommitResponse),
  api(DescribeAclsRequest, DescribeAclsResponse),
  api(CreateAclsRequest, CreateAclsResponse),
  api(DeleteAclsRequest, DeleteAclsResponse),
  api(DescribeConfigsRequest, DescribeConfigsResponse),
  api(AlterConfigsRequest, AlterConfigsResponse),
  api(AlterReplicaLogDirsRequest, AlterReplicaLogDirsResponse),
  api(DescribeLogDirsRequest, DescribeLogDirsResponse),
  api(SaslAuthenticateRequest, SaslAuthenticateResponse),
  api(CreatePartitionsRequest, CreatePartitionsResponse),
  api(CreateDelegationTokenRequest, CreateDelegationTokenResponse),
  api(RenewDelegationTokenRequest, RenewDelegationTokenResponse),
  api(ExpireDelegationTokenRequest, ExpireDelegationTokenResponse),
  api(DescribeDelegationTokenRequest, DescribeDelegationTokenResponse),
  api(DeleteGroupsRequest, DeleteGroupsResponse),
  api(ElectLeadersRequest, ElectLeadersResponse),
  api(IncrementalAlterConfigsRequest, IncrementalAlterConfigsResponse),
  api(AlterPartitionReassignmentsRequest, AlterPartitionReassignmentsResponse),
  api(ListPartitionReassignmentsRequest, ListPartitionReassignmentsResponse),
  api(OffsetDeleteRequest, OffsetDeleteResponse),
  api(DescribeClientQuotasRequest, DescribeClientQuotasResponse),
  api(AlterClientQuotasRequest, AlterClientQuotasResponse),
  api(DescribeUserScramCredentialsRequest, DescribeUserScramCredentialsResponse),
  api(AlterUserScramCredentialsRequest, AlterUserScramCredentialsResponse),
  api(DescribeQuorumRequest, DescribeQuorumResponse),
  api(UpdateFeaturesRequest, UpdateFeaturesResponse),
  api(DescribeClusterRequest, DescribeClusterResponse),
  api(DescribeProducersRequest, DescribeProducersResponse),
  api(UnregisterBrokerRequest, UnregisterBrokerResponse),
  api(DescribeTransactionsRequest, DescribeTransactionsResponse),
  api(ListTransactionsRequest, ListTransactionsResponse),
  api(ConsumerGroupHeartbeatRequest, ConsumerGroupHeartbeatResponse),
  api(ConsumerGroupDescribeRequest, ConsumerGroupDescribeResponse),
  api(GetTelemetrySubscriptionsRequest, GetTelemetrySubscriptionsResponse),
  api(PushTelemetryRequest, PushTelemetryResponse),
  api(ListConfigResourcesRequest, ListConfigResourcesResponse),
  api(DescribeTopicPartitionsRequest, DescribeTopicPartitionsResponse),
  api(ShareGroupHeartbeatRequest, ShareGroupHeartbeatResponse),
  api(ShareGroupDescribeRequest, ShareGroupDescribeResponse),
  api(ShareFetchRequest, ShareFetchResponse),
  api(ShareAcknowledgeRequest, ShareAcknowledgeResponse),
  api(AddRaftVoterRequest, AddRaftVoterResponse),
  api(RemoveRaftVoterRequest, RemoveRaftVoterResponse),
  api(InitializeShareGroupStateRequest, InitializeShareGroupStateResponse),
  api(ReadShareGroupStateRequest, ReadShareGroupStateResponse),
  api(WriteShareGroupStateRequest, WriteShareGroupStateResponse),
  api(DeleteShareGroupStateRequest, DeleteShareGroupStateResponse),
  api(ReadShareGroupStateSummaryRequest, ReadShareGroupStateSummaryResponse),
  api(StreamsGroupHeartbeatRequest, StreamsGroupHeartbeatResponse),
  api(StreamsGroupDescribeRequest, StreamsGroupDescribeResponse),
  api(DescribeShareGroupOffsetsRequest, DescribeShareGroupOffsetsResponse),
  api(AlterShareGroupOffsetsRequest, AlterShareGroupOffsetsResponse),
  api(DeleteShareGroupOffsetsRequest, DeleteShareGroupOffsetsResponse),
  api(StreamsGroupTopologyDescriptionUpdateRequest, StreamsGroupTopologyDescriptionUpdateResponse),
  api(UnregisterControllerRequest, UnregisterControllerResponse),
]

function api(request: RequestSchema, response: ResponseSchema): ApiSchemas {
  return { name: apiName(request.apiKey), request, response }
}
