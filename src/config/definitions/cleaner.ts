/** Settings of the log cleaner (compaction). */
import { boolean, double, int, long } from '../definition.js'
import { atLeast, between } from '../validators.js'
import { NO_EFFECT } from './effects.js'

export const cleanerDefinitions = {
  'log.cleaner.enable': boolean({
    default: true,
    importance: 'medium',
    update: 'read-only',
    doc: 'Runs the log cleaner.',
    effect: NO_EFFECT.compaction,
  }),
  'log.cleaner.threads': int({
    default: 1,
    valid: atLeast(0),
    importance: 'medium',
    update: 'cluster-wide',
    doc: 'Threads of the log cleaner.',
    effect: NO_EFFECT.compaction,
  }),
  'log.cleaner.backoff.ms': long({
    default: 15000n,
    valid: atLeast(0),
    importance: 'medium',
    update: 'cluster-wide',
    doc: 'Pause of the cleaner when there is nothing to do.',
    effect: NO_EFFECT.compaction,
  }),
  'log.cleaner.dedupe.buffer.size': long({
    default: 134217728n,
    importance: 'medium',
    update: 'cluster-wide',
    doc: "Memory of the cleaner's offset maps.",
    effect: NO_EFFECT.compaction,
  }),
  'log.cleaner.io.buffer.load.factor': double({
    default: 0.9,
    importance: 'medium',
    update: 'cluster-wide',
    doc: 'How full an offset map may get.',
    effect: NO_EFFECT.compaction,
  }),
  'log.cleaner.io.buffer.size': int({
    default: 524288,
    valid: atLeast(0),
    importance: 'medium',
    update: 'cluster-wide',
    doc: "Memory of the cleaner's I/O buffers.",
    effect: NO_EFFECT.compaction,
  }),
  'log.cleaner.io.max.bytes.per.second': double({
    default: Number.MAX_VALUE,
    importance: 'medium',
    update: 'cluster-wide',
    doc: 'Most bytes a second the cleaner reads and writes.',
    effect: NO_EFFECT.compaction,
  }),
  'log.cleaner.delete.retention.ms': long({
    default: 86400000n,
    valid: atLeast(0),
    importance: 'medium',
    update: 'cluster-wide',
    doc: 'How long tombstones of a compacted topic stay readable.',
    effect: NO_EFFECT.compaction,
  }),
  'log.cleaner.max.compaction.lag.ms': long({
    default: 9223372036854775807n,
    valid: atLeast(1),
    importance: 'medium',
    update: 'cluster-wide',
    doc: 'Longest time a record may wait for compaction.',
    effect: NO_EFFECT.compaction,
  }),
  'log.cleaner.min.compaction.lag.ms': long({
    default: 0n,
    valid: atLeast(0),
    importance: 'medium',
    update: 'cluster-wide',
    doc: 'Shortest time a record stays as it is.',
    effect: NO_EFFECT.compaction,
  }),
  'log.cleaner.min.cleanable.ratio': double({
    default: 0.5,
    valid: between(0, 1),
    importance: 'medium',
    update: 'cluster-wide',
    doc: 'Share of uncleaned bytes that makes a log worth cleaning.',
    effect: NO_EFFECT.compaction,
  }),
}
