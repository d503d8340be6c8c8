/** Settings of client and controller quotas. */
import { className, int } from '../definition.js'
import { atLeast } from '../validators.js'
import { EFFECTIVE, REFUSED } from './effects.js'

export const quotasDefinitions = {
  'client.quota.callback.class': className({
    default: null,
    importance: 'low',
    update: 'read-only',
    doc: 'Java class that decides client quotas.',
    effect: REFUSED.quotaCallback,
  }),
  'quota.window.num': int({
    default: 11,
    valid: atLeast(1),
    importance: 'low',
    update: 'read-only',
    doc: 'Samples of the client quotas.',
    effect: EFFECTIVE,
  }),
  'quota.window.size.seconds': int({
    default: 1,
    valid: atLeast(1),
    importance: 'low',
    update: 'read-only',
    doc: 'Length of a sample of the client quotas.',
    effect: EFFECTIVE,
  }),
  'controller.quota.window.num': int({
    default: 11,
    valid: atLeast(1),
    importance: 'low',
    update: 'read-only',
    doc: 'Samples of the quota on topic changes.',
    effect: EFFECTIVE,
  }),
  'controller.quota.window.size.seconds': int({
    default: 1,
    valid: atLeast(1),
    importance: 'low',
    update: 'read-only',
    doc: 'Length of a sample of the quota on topic changes.',
    effect: EFFECTIVE,
  }),
}
