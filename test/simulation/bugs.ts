/**
 * Bugs put into the coordinator on purpose, by replacing one method of it for the life of the process: the simulation
 * must find each of them, or it would not find one that came by accident either.
 */
import { uniformAssignor } from '../../src/coordinator/group/consumer/assignors/uniform.js'
import { ConsumerGroup } from '../../src/coordinator/group/consumer/consumer-group.js'
import { ConsumerSide } from '../../src/coordinator/group/consumer/consumer-side.js'
import { OffsetStore } from '../../src/coordinator/group/offsets/offset-store.js'
import {
  type GroupRecord,
  groupRecordSerde,
} from '../../src/coordinator/group/records/group-record.js'
import type { RecordSerde } from '../../src/coordinator/runtime/operation.js'
import { ScheduledTimers } from '../../src/coordinator/runtime/timers.js'

export interface Bug {
  readonly about: string
  /** Returns the serde to use, if the bug is in there. */
  plant(): RecordSerde<GroupRecord> | undefined
}

type Method = (...args: never[]) => unknown

/** Replaces a method; `wrap` gets the one there was. */
function patch(target: object, name: string, wrap: (original: Method) => Method): undefined {
  const methods = target as Record<string, Method>
  Object.defineProperty(target, name, {
    value: wrap(methods[name]!),
    configurable: true,
    writable: true,
  })
  return undefined
}

/** A serde that reads something else than was written. */
function misread(
  change: (record: GroupRecord) => GroupRecord | undefined,
): RecordSerde<GroupRecord> {
  return {
    serialize: record => groupRecordSerde.serialize(record),
    deserialize(key, value) {
      const record = groupRecordSerde.deserialize(key, value)
      return record === undefined ? undefined : change(record)
    },
  }
}

function skipTimers(kind: string): undefined {
  return patch(
    ScheduledTimers.prototype,
    'schedule',
    original =>
      function (this: object, ...args: never[]) {
        if (String(args[0]).startsWith(kind)) return undefined
        return original.apply(this, args)
      },
  )
}

export const BUGS: Readonly<Record<string, Bug>> = {
  'double-grant': {
    about: 'partitions are given away while others still hold them',
    plant: () => patch(ConsumerGroup.prototype, 'isHeld', () => () => false),
  },
  'never-released': {
    about: 'a partition that was held once counts as held for good',
    plant: () =>
      patch(ConsumerGroup.prototype, 'isHeld', original => {
        const seen = new WeakMap<object, Set<string>>()
        return function (this: object, ...args: never[]) {
          const held = seen.get(this) ?? new Set<string>()
          seen.set(this, held)
          const key = args.join('/')
          if (original.apply(this, args) === true) held.add(key)
          return held.has(key)
        }
      }),
  },
  'zombie-commit': {
    about: 'commits are taken from anybody at any epoch',
    plant: () => patch(ConsumerGroup.prototype, 'judgeOffsetCommit', () => () => () => 0),
  },
  'sleeping-sessions': {
    about: 'a load starts no sessions of consumer groups',
    plant: () => patch(ConsumerSide.prototype, 'loaded', () => () => []),
  },
  'deaf-to-topics': {
    about: 'consumer groups do not hear that topics grow',
    plant: () =>
      patch(ConsumerSide.prototype, 'topicsChanged', () => () => ({
        records: [],
        response: undefined,
      })),
  },
  'assigned-twice': {
    about: 'the assignor gives the first partition of the first member to the last one too',
    plant: () =>
      patch(uniformAssignor, 'assign', original => (...args: never[]) => {
        const assignments = original(...args) as Map<string, Map<string, Set<number>>>
        const members = [...assignments.values()]
        const [first, last] = [members[0], members.at(-1)]
        if (first !== undefined && last !== undefined && first !== last) {
          for (const [topicId, partitions] of first) {
            last.set(topicId, new Set([...(last.get(topicId) ?? []), ...partitions]))
          }
        }
        return assignments
      }),
  },
  'lost-revocations': {
    about: 'a load forgets what members are to give up',
    plant: () =>
      misread(record =>
        record.kind === 'ConsumerGroupCurrentMemberAssignment' && record.value !== null
          ? { ...record, value: { ...record.value, partitionsPendingRevocation: [] } }
          : record,
      ),
  },
  'epoch-back': {
    about: 'a load reads group epochs one too low',
    plant: () =>
      misread(record =>
        record.kind === 'ConsumerGroupMetadata' && record.value !== null
          ? { ...record, value: { ...record.value, epoch: record.value.epoch - 1 } }
          : record,
      ),
  },
  'undying-members': {
    about: 'a load skips the tombstones of members',
    plant: () =>
      misread(record =>
        record.kind === 'ConsumerGroupMemberMetadata' && record.value === null ? undefined : record,
      ),
  },
  'first-offset-stays': {
    about: 'only the first commit of a partition is kept',
    plant: () =>
      patch(
        OffsetStore.prototype,
        'replay',
        original =>
          function (this: OffsetStore, ...args: never[]) {
            const [{ key }] = args as unknown as [
              { key: { group: string; topic: string; partition: number } },
            ]
            if (this.get(key.group, key.topic, key.partition) !== undefined) return undefined
            return original.apply(this, args)
          },
      ),
  },
  'endless-join': {
    about: 'classic groups wait for missing members for ever',
    plant: () => skipTimers('join:'),
  },
  'endless-revocation': {
    about: 'members of consumer groups are never put out',
    plant: () => skipTimers('consumer-session:'),
  },
}
