/**
 * The messages that tests exchange with a broker in bytes: name, type, versions and nullable versions of each field
 * as the protocol of Kafka 4.4 has them, without tagged fields (wire-codec.ts reads over those).
 */
import { parseFields, type WireApi } from './wire-codec.js'

const api = (key: number, flexibleSince: number, request: string, response: string): WireApi => ({
  key,
  flexibleSince,
  request: parseFields(request),
  response: parseFields(response),
})

export const API = {
  Produce: api(
    0,
    9,
    `
transactionalId string 3+ null:3+
acks int16
timeoutMs int32
topicData []
  name string 0-12
  topicId uuid 13+
  partitionData []
    index int32
    records records null:0+`,
    `
responses []
  name string 0-12
  topicId uuid 13+
  partitionResponses []
    index int32
    errorCode int16
    baseOffset int64
    logAppendTimeMs int64 2+
    logStartOffset int64 5+
    recordErrors [] 8+
      batchIndex int32 8+
      batchIndexErrorMessage string 8+ null:8+
    errorMessage string 8+ null:8+
throttleTimeMs int32 1+`,
  ),
  Fetch: api(
    1,
    12,
    `
replicaId int32 0-14
maxWaitMs int32
minBytes int32
maxBytes int32 3+
isolationLevel int8 4+
sessionId int32 7+
sessionEpoch int32 7+
topics []
  topic string 0-12
  topicId uuid 13+
  partitions []
    partition int32
    currentLeaderEpoch int32 9+
    fetchOffset int64
    lastFetchedEpoch int32 12+
    logStartOffset int64 5+
    partitionMaxBytes int32
forgottenTopicsData [] 7+
  topic string 7-12
  topicId uuid 13+
  partitions []int32 7+
rackId string 11+`,
    `
throttleTimeMs int32 1+
errorCode int16 7+
sessionId int32 7+
responses []
  topic string 0-12
  topicId uuid 13+
  partitions []
    partitionIndex int32
    errorCode int16
    highWatermark int64
    lastStableOffset int64 4+
    logStartOffset int64 5+
    abortedTransactions [] 4+ null:4+
      producerId int64 4+
      firstOffset int64 4+
    preferredReadReplica int32 11+
    records records null:0+`,
  ),
  ListOffsets: api(
    2,
    6,
    `
replicaId int32
isolationLevel int8 2+
topics []
  name string
  partitions []
    partitionIndex int32
    currentLeaderEpoch int32 4+
    timestamp int64
timeoutMs int32 10+`,
    `
throttleTimeMs int32 2+
topics []
  name string
  partitions []
    partitionIndex int32
    errorCode int16
    timestamp int64 1+
    offset int64 1+
    leaderEpoch int32 4+`,
  ),
  Metadata: api(
    3,
    9,
    `
topics [] null:1+
  topicId uuid 10+
  name string null:10+
allowAutoTopicCreation bool 4+
includeClusterAuthorizedOperations bool 8-10
includeTopicAuthorizedOperations bool 8+`,
    `
throttleTimeMs int32 3+
brokers []
  nodeId int32
  host string
  port int32
  rack string 1+ null:1+
clusterId string 2+ null:2+
controllerId int32 1+
topics []
  errorCode int16
  name string null:12+
  topicId uuid 10+
  isInternal bool 1+
  partitions []
    errorCode int16
    partitionIndex int32
    leaderId int32
    leaderEpoch int32 7+
    replicaNodes []int32
    isrNodes []int32
    offlineReplicas []int32 5+
  topicAuthorizedOperations int32 8+
clusterAuthorizedOperations int32 8-10
errorCode int16 13+`,
  ),
  FindCoordinator: api(
    10,
    3,
    `
key string 0-3
keyType int8 1+
coordinatorKeys []string 4+`,
    `
throttleTimeMs int32 1+
errorCode int16 0-3
errorMessage string 1-3 null:1+
nodeId int32 0-3
host string 0-3
port int32 0-3
coordinators [] 4+
  key string 4+
  nodeId int32 4+
  host string 4+
  port int32 4+
  errorCode int16 4+
  errorMessage string 4+ null:4+`,
  ),
  ApiVersions: api(
    18,
    3,
    `
clientSoftwareName string 3+
clientSoftwareVersion string 3+
clusterId string 5+ null:5+
nodeId int32 5+`,
    `
errorCode int16
apiKeys []
  apiKey int16
  minVersion int16
  maxVersion int16
throttleTimeMs int32 1+`,
  ),
  CreateTopics: api(
    19,
    5,
    `
topics []
  name string
  numPartitions int32
  replicationFactor int16
  assignments []
    partitionIndex int32
    brokerIds []int32
  configs []
    name string
    value string null:0+
timeoutMs int32
validateOnly bool 1+`,
    `
throttleTimeMs int32 2+
topics []
  name string
  topicId uuid 7+
  errorCode int16
  errorMessage string 1+ null:0+
  numPartitions int32 5+
  replicationFactor int16 5+
  configs [] 5+ null:5+
    name string 5+
    value string 5+ null:5+
    readOnly bool 5+
    configSource int8 5+
    isSensitive bool 5+`,
  ),
  DeleteTopics: api(
    20,
    4,
    `
topics [] 6+
  name string 6+ null:6+
  topicId uuid 6+
topicNames []string 0-5
timeoutMs int32`,
    `
throttleTimeMs int32 1+
responses []
  name string null:6+
  topicId uuid 6+
  errorCode int16
  errorMessage string 5+ null:5+`,
  ),
  InitProducerId: api(
    22,
    2,
    `
transactionalId string null:0+
transactionTimeoutMs int32
producerId int64 3+
producerEpoch int16 3+
enable2Pc bool 6+
keepPreparedTxn bool 6+`,
    `
throttleTimeMs int32
errorCode int16
producerId int64
producerEpoch int16
ongoingTxnProducerId int64 6+
ongoingTxnProducerEpoch int16 6+`,
  ),
  OffsetForLeaderEpoch: api(
    23,
    4,
    `
replicaId int32 3+
topics []
  topic string
  partitions []
    partition int32
    currentLeaderEpoch int32 2+
    leaderEpoch int32`,
    `
throttleTimeMs int32 2+
topics []
  topic string
  partitions []
    errorCode int16
    partition int32
    leaderEpoch int32 1+
    endOffset int64`,
  ),
  DescribeConfigs: api(
    32,
    4,
    `
resources []
  resourceType int8
  resourceName string
  configurationKeys []string null:0+
includeSynonyms bool 1+
includeDocumentation bool 3+`,
    `
throttleTimeMs int32
results []
  errorCode int16
  errorMessage string null:0+
  resourceType int8
  resourceName string
  configs []
    name string
    value string null:0+
    readOnly bool
    configSource int8 1+
    isSensitive bool
    synonyms [] 1+
      name string 1+
      value string 1+ null:0+
      source int8 1+
    configType int8 3+
    documentation string 3+ null:0+`,
  ),
  IncrementalAlterConfigs: api(
    44,
    1,
    `
resources []
  resourceType int8
  resourceName string
  configs []
    name string
    configOperation int8
    value string null:0+
validateOnly bool`,
    `
throttleTimeMs int32
responses []
  errorCode int16
  errorMessage string null:0+
  resourceType int8
  resourceName string`,
  ),
  DescribeLogDirs: api(
    35,
    2,
    `
topics [] null:0+
  topic string
  partitions []int32`,
    `
throttleTimeMs int32
errorCode int16 3+
results []
  errorCode int16
  logDir string
  topics []
    name string
    partitions []
      partitionIndex int32
      partitionSize int64
      offsetLag int64
      isFutureKey bool
  totalBytes int64 4+
  usableBytes int64 4+
  isCordoned bool 5+`,
  ),
  CreatePartitions: api(
    37,
    2,
    `
topics []
  name string
  count int32
  assignments [] null:0+
    brokerIds []int32
timeoutMs int32
validateOnly bool`,
    `
throttleTimeMs int32
results []
  name string
  errorCode int16
  errorMessage string null:0+`,
  ),
  DescribeCluster: api(
    60,
    0,
    `
includeClusterAuthorizedOperations bool
endpointType int8 1+
includeFencedBrokers bool 2+`,
    `
throttleTimeMs int32
errorCode int16
errorMessage string null:0+
endpointType int8 1+
clusterId string
controllerId int32
brokers []
  brokerId int32
  host string
  port int32
  rack string null:0+
  isFenced bool 2+
clusterAuthorizedOperations int32`,
  ),
}
