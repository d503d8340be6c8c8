/**
 * The client library, exported as `millrace/client`: nothing in it needs Node but the TCP transport and the codecs,
 * for which bundles for browsers take other files (package.json, "browser"). Browsers have to provide `Buffer`.
 */
export { BrokerError } from '../base/errors.js'
export { ErrorCode, type ErrorName } from '../protocol/error-codes.js'
export type { Uuid } from '../base/uuid.js'
export {
  CODEC_NAMES,
  type Codec,
  type CodecName,
  registerCodec,
} from '../records/compression/codec.js'
export { Admin } from './admin/admin.js'
export type {
  ClusterAdmin,
  ClusterDescription,
  FeatureDescription,
  LogDirDescription,
  LogDirReplica,
} from './admin/cluster-admin.js'
export type {
  ConfigAdmin,
  ConfigChange,
  ConfigEntry,
  ConfigResource,
} from './admin/config-admin.js'
export type {
  GroupAdmin,
  GroupDescription,
  GroupMember,
  ListedGroup,
  MemberToRemove,
} from './admin/group-admin.js'
export type { CommittedOffset, OffsetToCommit } from './admin/group-offsets.js'
export { PartialFailureError } from './admin/per-item.js'
export type { QuotaAdmin, QuotaEntity, QuotaEntry, QuotaFilter } from './admin/quota-admin.js'
export type {
  DeleteRecordsBefore,
  ListedOffset,
  OffsetQuery,
  OffsetSpec,
  RecordAdmin,
} from './admin/record-admin.js'
export type {
  ChangeOptions,
  CreatedTopic,
  NewTopic,
  TopicAdmin,
  TopicDescription,
} from './admin/topic-admin.js'
export type { Assignment, Assignor, MemberSubscription } from './consumer/assignors/assignor.js'
export { Consumer } from './consumer/consumer.js'
export type { AssignorName, ConsumerOptions } from './consumer/consumer-options.js'
export type { ConsumerBatch, ConsumerRecord } from './consumer/consumer-record.js'
export type { RebalanceListener } from './consumer/listener.js'
export type { TopicPartition } from './consumer/topic-partition.js'
export type { Address } from './bootstrap-servers.js'
export type { CallOptions } from './cluster/cluster.js'
export type { BrokerNode, PartitionMetadata } from './cluster/metadata.js'
export { KafkaError } from './errors.js'
export type { ClientOptions } from './options.js'
export type { Partitioner, PartitionerInput, PartitionerOption } from './producer/partitioner.js'
export { Producer, type ProducerRecord } from './producer/producer.js'
export type { ProducerMetricsSnapshot } from './producer/producer-metrics.js'
export type { ProducerOptions } from './producer/producer-options.js'
export type { Bytes, HeadersInput } from './producer/record-encoder.js'
export { RecordMetadata } from './producer/record-metadata.js'
export { openTcp } from './transport/tcp.js'
export type { OpenTransport, Transport, TransportEvents } from './transport/transport.js'
