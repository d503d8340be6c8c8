/** The features of a cluster: Kafka's refusals (compared with 4.4), and what is kept. */
import { beforeEach, expect, test } from 'vitest'
import { Features } from '../../../src/metadata/features.js'
import { MemoryStore } from '../../../src/metadata/memory-store.js'

let store: MemoryStore
let features: Features

beforeEach(async () => {
  store = new MemoryStore()
  features = await Features.open(store, 1)
})

const update = (feature: string, maxVersionLevel: number, upgradeType = 1) =>
  features.update([{ feature, maxVersionLevel, upgradeType }], true)

test.each([
  [
    'foo',
    1,
    1,
    'Invalid update version 1 for feature foo. Local controller 1 does not support this feature.',
  ],
  [
    'group.version',
    7,
    1,
    'Invalid update version 7 for feature group.version. Local controller 1 only supports versions 0-1',
  ],
  [
    'group.version',
    0,
    1,
    "Invalid update version 0 for feature group.version. Can't downgrade the version of this feature without " +
      'setting the upgrade type to either safe or unsafe downgrade.',
  ],
  [
    'group.version',
    0,
    9,
    'Invalid update version 0 for feature group.version. The controller does not support the given upgrade type.',
  ],
  [
    'group.version',
    -1,
    1,
    'Invalid update version -1 for feature group.version. A feature version cannot be less than 0.',
  ],
  [
    'metadata.version',
    8,
    2,
    'Unsupported metadata.version downgrade from 33 to 8. Refusing to perform the requested downgrade because it ' +
      'might delete metadata information.',
  ],
  [
    'metadata.version',
    8,
    3,
    'Unsupported metadata.version downgrade from 33 to 8. Unsafe metadata downgrade is not supported in this version.',
  ],
])('%s to %i as %i', async (feature, level, type, why) => {
  expect(await update(feature, level, type)).toEqual({
    errorCode: 95,
    errorMessage: `The update failed for all features since the following feature had an error: ${why}`,
  })
})

test('a change is in force, counted, and there after a restart', async () => {
  expect(features.level('group.version')).toBe(1)
  const off = [{ feature: 'group.version', maxVersionLevel: 0, upgradeType: 2 }]
  expect(await features.update(off, true)).toBeNull()
  expect(features.level('group.version')).toBe(1)
  const before = features.epoch
  expect(await features.update(off, false)).toBeNull()
  expect(features.finalized()).toEqual([{ name: 'metadata.version', level: 33 }])
  expect(features.epoch).toBeGreaterThan(before)
  const next = await Features.open(store, 1)
  expect(next.level('group.version')).toBe(0)
  expect(next.epoch).toBe(features.epoch)
})

test('one bad update stops all', async () => {
  const updates = [
    { feature: 'group.version', maxVersionLevel: 0, upgradeType: 2 },
    { feature: 'foo', maxVersionLevel: 1, upgradeType: 1 },
  ]
  expect((await features.update(updates, false))?.errorCode).toBe(95)
  expect(features.level('group.version')).toBe(1)
})
