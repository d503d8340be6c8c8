/**
 * The groups and offsets of one partition of __consumer_offsets. Operations live in classic/, consumer/ and
 * offsets/ and get this shard; only `replay` and they change it.
 */
import type { Outcome, RecordPosition, ReplicatedState } from '../runtime/operation.js'
import type { ConsumerGroupSide } from './consumer-group-side.js'
import { ClassicGroup } from './classic/classic-group.js'
import { startSessions } from './classic/load.js'
import type { GroupContext } from './group-context.js'
import type { Group } from './group.js'
import { OffsetStore } from './offsets/offset-store.js'
import type { GroupRecord } from './records/group-record.js'

export class GroupShard implements ReplicatedState<GroupRecord> {
  readonly context: GroupContext
  /** All groups that have a record or members; a group that only has offsets comes with its first use. */
  readonly groups = new Map<string, Group>()
  readonly offsets = new OffsetStore()
  readonly consumerSide: ConsumerGroupSide | null

  constructor(context: GroupContext, consumerSide?: (shard: GroupShard) => ConsumerGroupSide) {
    this.context = context
    this.consumerSide = consumerSide?.(this) ?? null
  }

  /** The group, or undefined if there is none or it is of the other kind. */
  classicGroup(groupId: string): ClassicGroup | undefined {
    const group = this.groups.get(groupId)
    return group instanceof ClassicGroup ? group : undefined
  }

  replay(record: GroupRecord, { producerId }: RecordPosition): void {
    switch (record.kind) {
      case 'OffsetCommit':
        this.offsets.replay(record, producerId)
        // As in Kafka: offsets without a group make a simple one.
        if (record.value !== null && !this.groups.has(record.key.group)) {
          this.groups.set(record.key.group, ClassicGroup.simple(record.key.group, this.context))
        }
        break
      case 'GroupMetadata': {
        const { group } = record.key
        if (record.value === null) {
          if (this.groups.get(group) instanceof ClassicGroup) this.groups.delete(group)
        } else {
          this.groups.set(group, ClassicGroup.fromRecord(group, record.value, this.context))
        }
        break
      }
      default:
        this.consumerSide?.replay(record)
    }
  }

  endTransaction(producerId: bigint, committed: boolean): void {
    this.offsets.endTransaction(producerId, committed)
  }

  loaded(nowMs: number): Outcome<GroupRecord, void> {
    const records = startSessions(this)
    records.push(...(this.consumerSide?.loaded(nowMs) ?? []))
    return { records, response: undefined }
  }

  unloaded(): void {
    for (const group of this.groups.values()) group.unloaded()
  }
}
