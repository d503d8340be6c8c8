/**
 * The records of __consumer_offsets: which there are, and their bytes. A key starts with the type of the record as an
 * int16, a value with its version; a record without a value is a tombstone. Written as Apache Kafka 4.4 writes them.
 */
import type { Infer, InferInput, MessageSchema } from '../../../protocol/schema/message.js'
import { decodeVersioned, encodeVersioned } from '../../../protocol/versioned-message.js'
import type { RecordSerde } from '../../runtime/operation.js'
import { GroupMetadataKey, GroupMetadataValue } from './classic-records.js'
import * as consumer from './consumer-records.js'
import { OffsetCommitKey, OffsetCommitValue } from './offset-records.js'

const NEWEST_OFFSET_VALUE = 4
/** The only version that carries a time of expiry. */
const OFFSET_VALUE_WITH_EXPIRY = 1

/** By kind: the type, which is the version of the key, and the version that values are written with. */
const kinds = {
  OffsetCommit: kind(1, OffsetCommitKey, OffsetCommitValue, NEWEST_OFFSET_VALUE),
  GroupMetadata: kind(2, GroupMetadataKey, GroupMetadataValue, 3),
  ConsumerGroupMetadata: kind(
    3,
    consumer.ConsumerGroupMetadataKey,
    consumer.ConsumerGroupMetadataValue,
    0,
  ),
  ConsumerGroupPartitionMetadata: kind(
    4,
    consumer.ConsumerGroupPartitionMetadataKey,
    consumer.ConsumerGroupPartitionMetadataValue,
    0,
  ),
  ConsumerGroupMemberMetadata: kind(
    5,
    consumer.ConsumerGroupMemberMetadataKey,
    consumer.ConsumerGroupMemberMetadataValue,
    0,
  ),
  ConsumerGroupTargetAssignmentMetadata: kind(
    6,
    consumer.ConsumerGroupTargetAssignmentMetadataKey,
    consumer.ConsumerGroupTargetAssignmentMetadataValue,
    0,
  ),
  ConsumerGroupTargetAssignmentMember: kind(
    7,
    consumer.ConsumerGroupTargetAssignmentMemberKey,
    consumer.ConsumerGroupTargetAssignmentMemberValue,
    0,
  ),
  ConsumerGroupCurrentMemberAssignment: kind(
    8,
    consumer.ConsumerGroupCurrentMemberAssignmentKey,
    consumer.ConsumerGroupCurrentMemberAssignmentValue,
    0,
  ),
  ConsumerGroupRegularExpression: kind(
    16,
    consumer.ConsumerGroupRegularExpressionKey,
    consumer.ConsumerGroupRegularExpressionValue,
    0,
  ),
} as const

type Kinds = typeof kinds
export type GroupRecordKind = keyof Kinds

/** One record to write: the value's fields that have a default may be left out. Null: a tombstone. */
export type GroupRecord = {
  [K in GroupRecordKind]: {
    readonly kind: K
    readonly key: Infer<Kinds[K]['key']>
    readonly value: InferInput<Kinds[K]['value']> | null
  }
}[GroupRecordKind]

/** A record of one kind. */
export type GroupRecordOf<K extends GroupRecordKind> = Extract<GroupRecord, { readonly kind: K }>

const LEGACY_OFFSET_COMMIT = 0
const kindsByType = new Map<number, GroupRecordKind>([
  [LEGACY_OFFSET_COMMIT, 'OffsetCommit'],
  ...(Object.keys(kinds) as GroupRecordKind[]).map(name => [kinds[name].type, name] as const),
])

const TYPE_BYTES = 2

export const groupRecordSerde: RecordSerde<GroupRecord> = {
  serialize(record) {
    const { type, key, value, valueVersion } = kinds[record.kind] as Kind
    return {
      key: encodeVersioned(key, type, record.key),
      value:
        record.value === null
          ? null
          : encodeVersioned(
              value,
              hasExpiry(record) ? OFFSET_VALUE_WITH_EXPIRY : valueVersion,
              record.value,
            ),
    }
  },

  deserialize(key, value) {
    if (key.length < TYPE_BYTES) return undefined
    const kind = kindsByType.get(key.readInt16BE())
    if (kind === undefined) return undefined
    const schemas: Kind = kinds[kind]
    return {
      kind,
      key: decodeVersioned(schemas.key, key),
      value: value === null ? null : decodeVersioned(schemas.value, value),
    } as GroupRecord
  },
}

function hasExpiry({ kind, value }: GroupRecord): boolean {
  return kind === 'OffsetCommit' && value !== null && (value.expireTimestamp ?? -1n) !== -1n
}

interface Kind<K extends MessageSchema = MessageSchema, V extends MessageSchema = MessageSchema> {
  readonly type: number
  readonly key: K
  readonly value: V
  readonly valueVersion: number
}

function kind<K extends MessageSchema, V extends MessageSchema>(
  type: number,
  key: K,
  value: V,
  valueVersion: number,
): Kind<K, V> {
  return { type, key, value, valueVersion }
}
