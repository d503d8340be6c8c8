/** Settings of single groups (KIP-848, resource type GROUP): what a group has instead of the broker's value. */
import { boolean, int, list, string } from '../definition.js'
import { atLeast, oneOf } from '../validators.js'
import { EFFECTIVE, NO_EFFECT } from './effects.js'

const group = { importance: 'medium', update: 'topic' } as const
const share = { ...group, effect: NO_EFFECT.share } as const
const streams = { ...group, effect: NO_EFFECT.streams } as const
const consumer = { ...group, effect: EFFECTIVE } as const

export const groupConfigDefinitions = {
  'consumer.assignment.interval.ms': int({
    ...consumer,
    default: 1000,
    valid: atLeast(0),
    brokerDefault: 'group.consumer.assignment.interval.ms',
    doc: 'Least time between two assignments of the group.',
  }),
  'consumer.heartbeat.interval.ms': int({
    ...consumer,
    default: 5000,
    valid: atLeast(1),
    brokerDefault: 'group.consumer.heartbeat.interval.ms',
    doc: 'How often members of the group have to tell that they live.',
  }),
  'consumer.session.timeout.ms': int({
    ...consumer,
    default: 45000,
    valid: atLeast(1),
    brokerDefault: 'group.consumer.session.timeout.ms',
    doc: 'How long a silent member stays in the group.',
  }),
  'errors.deadletterqueue.copy.record.enable': boolean({
    ...share,
    default: false,
    doc: 'Copies the whole record into the dead letter queue.',
  }),
  'errors.deadletterqueue.topic.name': string({
    ...share,
    default: '',
    doc: 'The topic for records that cannot be handled; empty for none.',
  }),
  'share.assignment.interval.ms': int({
    ...share,
    default: 1000,
    valid: atLeast(0),
    brokerDefault: 'group.share.assignment.interval.ms',
    doc: 'Least time between two assignments of the share group.',
  }),
  'share.auto.offset.reset': string({
    ...share,
    default: 'latest',
    doc: 'Where a new share group begins: latest, earliest or by_duration:PT1H.',
  }),
  'share.delivery.count.limit': int({
    ...share,
    default: 5,
    valid: atLeast(2),
    brokerDefault: 'group.share.delivery.count.limit',
    doc: 'How often a record is delivered at most.',
  }),
  'share.heartbeat.interval.ms': int({
    ...share,
    default: 5000,
    valid: atLeast(1),
    brokerDefault: 'group.share.heartbeat.interval.ms',
    doc: 'How often members of the share group have to tell that they live.',
  }),
  'share.isolation.level': string({
    ...share,
    default: 'read_uncommitted',
    valid: oneOf('read_committed', 'read_uncommitted'),
    doc: 'Whether records of open transactions are delivered.',
  }),
  'share.partition.max.record.locks': int({
    ...share,
    default: 2000,
    valid: atLeast(100),
    brokerDefault: 'group.share.partition.max.record.locks',
    doc: 'How many records of a partition may be in work at once.',
  }),
  'share.record.lock.duration.ms': int({
    ...share,
    default: 30000,
    valid: atLeast(1000),
    brokerDefault: 'group.share.record.lock.duration.ms',
    doc: 'How long a delivered record is locked for its consumer.',
  }),
  'share.renew.acknowledge.enable': boolean({
    ...share,
    default: true,
    doc: 'Lets a consumer prolong the lock of a record.',
  }),
  'share.session.timeout.ms': int({
    ...share,
    default: 45000,
    valid: atLeast(1),
    brokerDefault: 'group.share.session.timeout.ms',
    doc: 'How long a silent member stays in the share group.',
  }),
  'streams.assignment.interval.ms': int({
    ...streams,
    default: 1000,
    valid: atLeast(0),
    brokerDefault: 'group.streams.assignment.interval.ms',
    doc: 'Least time between two assignments of the streams group.',
  }),
  'streams.assignor.name': string({
    ...streams,
    default: null,
    brokerDefault: 'group.streams.assignors',
    doc: 'The assignor of the streams group.',
  }),
  'streams.heartbeat.interval.ms': int({
    ...streams,
    default: 5000,
    valid: atLeast(1),
    brokerDefault: 'group.streams.heartbeat.interval.ms',
    doc: 'How often members of the streams group have to tell that they live.',
  }),
  'streams.initial.rebalance.delay.ms': int({
    ...streams,
    default: 3000,
    valid: atLeast(0),
    brokerDefault: 'group.streams.initial.rebalance.delay.ms',
    doc: 'How long a new streams group waits for more members.',
  }),
  'streams.num.standby.replicas': int({
    ...streams,
    default: 0,
    valid: atLeast(0),
    brokerDefault: 'group.streams.num.standby.replicas',
    doc: 'Standby tasks for each task of the streams group.',
  }),
  'streams.session.timeout.ms': int({
    ...streams,
    default: 45000,
    valid: atLeast(1),
    brokerDefault: 'group.streams.session.timeout.ms',
    doc: 'How long a silent member stays in the streams group.',
  }),
  'streams.rack.aware.assignment.tags': list({
    ...streams,
    importance: 'low',
    default: [],
    brokerDefault: 'group.streams.rack.aware.assignment.tags',
    doc: 'The tags by which standby tasks are spread.',
  }),
}
