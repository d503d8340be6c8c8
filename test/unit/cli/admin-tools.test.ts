/** Protects the lines of `features`, `cluster`, `leader-election` and `broker-api-versions`, and what they refuse. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { linesOf } from '../../../src/cli/broker-api-versions/broker-api-versions.js'
import { endpointLines } from '../../../src/cli/cluster/cluster.js'
import { featureLines } from '../../../src/cli/features/features.js'
import { featureDependencies, versionMapping } from '../../../src/cli/features/look-up.js'
import { changeFeatures } from '../../../src/cli/features/features.js'
import { leaderElection, report } from '../../../src/cli/leader-election/leader-election.js'

const printed: string[] = []

beforeEach(() => {
  printed.length = 0
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line))
})
afterEach(() => vi.restoreAllMocks())

test('features describe: the columns of kafka-features', () => {
  const lines = featureLines({
    supportedFeatures: [
      { name: 'metadata.version', minVersion: 7, maxVersion: 33 },
      { name: 'group.version', minVersion: 0, maxVersion: 1 },
    ],
    finalizedFeatures: [{ name: 'metadata.version', maxVersionLevel: 25 }],
    finalizedFeaturesEpoch: 12n,
  })
  expect(lines).toEqual([
    'Feature: group.version                             SupportedMinVersion: 0                SupportedMaxVersion: 1                FinalizedVersionLevel: 0                Epoch: 12',
    'Feature: metadata.version                          SupportedMinVersion: 3.3-IV3          SupportedMaxVersion: 4.4-IV2          FinalizedVersionLevel: 4.0-IV3          Epoch: 12',
  ])
})

test('features version-mapping and feature-dependencies tell what Kafka tells', () => {
  versionMapping({ releaseVersion: '4.0' })
  featureDependencies({ feature: ['eligible.leader.replicas.version=1', 'group.version=1'] })
  expect(printed).toEqual([
    'metadata.version=25 (4.0)',
    'kraft.version=1',
    'transaction.version=2',
    'group.version=1',
    'eligible.leader.replicas.version=0',
    'share.version=0',
    'streams.version=0',
    'eligible.leader.replicas.version=1 requires:',
    '    metadata.version=23 (4.0-IV1)',
    'group.version=1 has no dependencies.',
  ])
  expect(() => versionMapping({ releaseVersion: '9.9' })).toThrow(/^Unknown metadata.version '9.9'/)
  expect(() => featureDependencies({ feature: ['foo=1'] })).toThrow('Unknown feature: foo')
})

test.each([
  [['group.version'], "Can't parse feature=level string group.version: equals sign not found."],
  [['group.version=x'], /unable to parse x as a short/],
  [['a=1', 'a=1'], 'Feature a was specified more than once.'],
  [[], 'You must specify at least one feature to upgrade'],
])('features upgrade refuses %o before anything is sent', async (feature, message) => {
  await expect(changeFeatures('upgrade', { feature })).rejects.toThrow(message)
})

test('cluster list-endpoints: the columns of kafka-cluster', () => {
  const broker = { brokerId: 1, host: '127.0.0.1', port: 21092, rack: null, isFenced: false }
  expect(endpointLines([broker])).toEqual([
    'ID         HOST      PORT       RACK       STATE      ENDPOINT_TYPE  ',
    '1          127.0.0.1 21092      null       unfenced   broker         ',
  ])
})

test('broker-api-versions: ranges, what is usable, and what is not served', () => {
  const lines = linesOf([
    { apiKey: 0, minVersion: 0, maxVersion: 13 },
    { apiKey: 3, minVersion: 99, maxVersion: 100 },
    { apiKey: 46, minVersion: 0, maxVersion: 0 },
    { apiKey: 999, minVersion: 1, maxVersion: 2 },
  ])
  expect(lines[0]).toBe('\tProduce(0): 0 to 13 [usable: 13]')
  expect(lines).toContain('\tFetch(1): UNSUPPORTED')
  expect(lines).toContain('\tMetadata(3): 99 to 100 [usable: NONE]')
  expect(lines).toContain('\tListPartitionReassignments(46): 0 [usable: 0]')
  expect(lines.at(-1)).toBe('\tUNKNOWN(999): 1 to 2')
})

test.each([
  [{ topic: 't', partition: '0' }, /election-type/],
  [{ electionType: 'soon', allTopicPartitions: true }, /preferred or unclean/],
  [{ electionType: 'preferred' }, /One and only one/],
  [{ electionType: 'preferred', topic: 't', partition: '0', allTopicPartitions: true }, /only one/],
  [{ electionType: 'preferred', topic: 't' }, /partition/],
  [{ electionType: 'preferred', topic: 't', partition: 'x' }, /Cannot parse argument 'x'/],
])('leader-election refuses %o', async (options, message) => {
  await expect(leaderElection(options)).rejects.toThrow(message)
})

test('leader-election: what was elected, what need not be, what failed', () => {
  const result = { topic: 't', partition: 0, errorCode: 0, errorMessage: null }
  report([result, { ...result, partition: 1, errorCode: 84 }], 'PREFERRED')
  expect(printed).toEqual([
    'Successfully completed leader election (PREFERRED) for partitions t-0',
    'Valid replica already elected for partitions t-1',
  ])
  const failed = { ...result, errorCode: 3, errorMessage: 'No such topic as t' }
  expect(() => report([failed], 'UNCLEAN')).toThrow('1 replica(s) could not be elected')
  expect(printed[2]).toMatch(/^Error completing leader election \(UNCLEAN\) for partition: t-0: /)
})
