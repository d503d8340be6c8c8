/** Settings that only Millrace has. */
import { string } from '../definition.js'
import { oneOf } from '../validators.js'
import { EFFECTIVE } from './effects.js'

const ACKS_ALL_FLUSH = oneOf('auto', 'always', 'never')

export const ownDefinitions = {
  'acks.all.flush': string({
    default: 'auto',
    valid: ACKS_ALL_FLUSH,
    importance: 'high',
    update: 'cluster-wide',
    doc:
      'When a write with acks=all is answered. `auto`: once synced if the partition has one ' +
      'replica, once the ISR has it otherwise. `always`: once synced. `never`: without a sync, ' +
      'as Kafka does.',
    effect: EFFECTIVE,
  }),
  'metadata.dir': string({
    default: null,
    importance: 'high',
    update: 'read-only',
    doc:
      'Folder of the metadata store and of all that is not a file of Kafka. ' +
      'Defaults to the path of the first log dir with `-metadata` behind it.',
    effect: EFFECTIVE,
  }),
  'logger.level': string({
    default: 'info',
    valid: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    importance: 'low',
    update: 'read-only',
    doc: 'Least severe level of the log lines that are written.',
    effect: EFFECTIVE,
  }),
  'logger.format': string({
    default: 'auto',
    valid: oneOf('auto', 'json', 'text'),
    importance: 'low',
    update: 'read-only',
    doc: 'Form of the log lines; `auto` writes text to a terminal and JSON otherwise.',
    effect: EFFECTIVE,
  }),
}

export const ownTopicDefinitions = {
  'acks.all.flush': string({
    default: 'auto',
    valid: ACKS_ALL_FLUSH,
    importance: 'high',
    update: 'topic',
    doc: 'When a write with acks=all is answered; see the broker setting of this name.',
    effect: EFFECTIVE,
    brokerDefault: 'acks.all.flush',
  }),
}
