/**
 * What dump-log prints behind a control record: its type and the value as Kafka's tool words it.
 * The KRaft types carry flexible messages (KIP-482), which appear in logs only, never on our wire.
 */
import { uuidFromBytes } from '../../base/uuid.js'
import {
  controlRecordType,
  controlRecordTypeId,
  endTxnMarkerCoordinatorEpoch,
} from '../../records/control-record.js'
import { corruptRecord } from '../../records/record.js'
import type { Record } from '../../records/record.js'
import { FlexibleReader } from './flexible-reader.js'

const UUID_BYTES = 16

/**
 * The text, beginning with a blank. Throws ERR_RECORD_CORRUPT for keys and values that are damaged.
 */
export function controlRecordText(record: Record): string {
  const typeId = controlRecordTypeId(record.key)
  const type = controlRecordType(typeId)
  switch (type) {
    case 'ABORT':
    case 'COMMIT': {
      const coordinatorEpoch = endTxnMarkerCoordinatorEpoch(record.value)
      return ` endTxnMarker: ${type} coordinatorEpoch: ${coordinatorEpoch}`
    }
    case 'LEADER_CHANGE':
      return ` LeaderChange: ${json(leaderChange(reader(record)))}`
    case 'SNAPSHOT_HEADER':
      return ` SnapshotHeader ${json(snapshotHeader(reader(record)))}`
    case 'SNAPSHOT_FOOTER':
      return ` SnapshotFooter ${json(snapshotFooter(reader(record)))}`
    case 'KRAFT_VERSION':
      return ` KRaftVersion ${json(kraftVersion(reader(record)))}`
    case 'KRAFT_VOTERS':
      return ` KRaftVoters ${json(kraftVoters(reader(record)))}`
    case 'UNKNOWN':
      return ` controlType: UNKNOWN(${typeId})`
  }
}

function reader(record: Record): FlexibleReader {
  if (record.value === null) {
    throw corruptRecord(`The control record at offset ${record.offset} has no value.`)
  }
  return new FlexibleReader(record.value)
}

/** JSON without blanks, where int64 values are plain numbers. */
function json(value: unknown): string {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return `[${value.map(json).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, member]) => `"${name}":${json(member)}`)
  return `{${members.join(',')}}`
}

function leaderChange(from: FlexibleReader): object {
  const version = from.int16()
  const voter = (): object => {
    const voterId = from.int32()
    const directory = version >= 1 ? { voterDirectoryId: uuid(from) } : {}
    from.skipTaggedFields()
    return { voterId, ...directory }
  }
  return {
    version,
    leaderId: from.int32(),
    voters: from.compactArray(voter),
    grantingVoters: from.compactArray(voter),
  }
}

function snapshotHeader(from: FlexibleReader): object {
  return { version: from.int16(), lastContainedLogTimestamp: from.int64() }
}

function snapshotFooter(from: FlexibleReader): object {
  return { version: from.int16() }
}

function kraftVersion(from: FlexibleReader): object {
  return { version: from.int16(), kRaftVersion: from.int16() }
}

function kraftVoters(from: FlexibleReader): object {
  const endpoint = (): object => {
    const fields = { name: from.compactString(), host: from.compactString(), port: from.uint16() }
    from.skipTaggedFields()
    return fields
  }
  const voter = (): object => {
    const fields = {
      voterId: from.int32(),
      voterDirectoryId: uuid(from),
      endpoints: from.compactArray(endpoint),
      kRaftVersionFeature: versionRange(from),
    }
    from.skipTaggedFields()
    return fields
  }
  return { version: from.int16(), voters: from.compactArray(voter) }
}

function versionRange(from: FlexibleReader): object {
  const range = { minSupportedVersion: from.int16(), maxSupportedVersion: from.int16() }
  from.skipTaggedFields()
  return range
}

function uuid(from: FlexibleReader): string {
  return uuidFromBytes(from.bytes(UUID_BYTES))
}
