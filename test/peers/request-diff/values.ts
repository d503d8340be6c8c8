/**
 * What generated requests speak of: for each field name the values that exist in both brokers (setup.ts makes them) and
 * some that do not. Requests that change something have topics of their own, so that the others stay comparable.
 */
import type { FieldType } from '../../../src/protocol/schema/field.js'
import { recordSets } from './record-sets.js'
import type { SeededRandom } from './random.js'

/** Where in a request a value belongs. */
export interface Place {
  readonly api: string
  readonly version: number
  readonly path: readonly string[]
}

type Choice = (random: SeededRandom, place: Place) => unknown

const STABLE = ['one', 'three', 'empty', 'compacted']
const ODD_NAMES = ['missing', 'not a name', '', '..', 'x'.repeat(250), 'ünïcode', 'one.a', 'one_a']
const CHANGING = ['m1', 'm2', 'm3', 'm.4', 'm5']

/** APIs that create, delete or change topics. */
const CHANGES_TOPICS = ['CreateTopics', 'DeleteTopics', 'CreatePartitions']

const TOPIC_CONFIGS: readonly (readonly [string, string | null])[] = [
  ['retention.ms', '86400000'], ['retention.ms', '-1'], ['retention.ms', '-2'], ['retention.ms', 'soon'],
  ['cleanup.policy', 'compact'], ['cleanup.policy', 'delete'], ['cleanup.policy', 'compact,delete'],
  ['cleanup.policy', 'shred'], ['segment.bytes', '1048576'], ['segment.bytes', '10'], ['no.such.config', '1'],
  ['max.message.bytes', '2000000'], ['max.message.bytes', '-1'], ['min.insync.replicas', '1'],
  ['min.insync.replicas', '0'], ['compression.type', 'lz4'], ['compression.type', 'rar'],
  ['message.timestamp.type', 'LogAppendTime'], ['message.timestamp.type', 'never'], ['flush.ms', '1000'],
  ['retention.bytes', ''], ['retention.ms', null], ['unclean.leader.election.enable', 'maybe'],
  ['unclean.leader.election.enable', 'true'], ['min.cleanable.dirty.ratio', '0.3'], ['min.cleanable.dirty.ratio', '2'],
  ['file.delete.delay.ms', '100'], ['', 'x'], ['preallocate', 'TRUE'], ['segment.ms', '0'],
] // prettier-ignore

const BROKER_CONFIGS: readonly (readonly [string, string | null])[] = [
  ['log.retention.ms', '86400000'], ['log.cleaner.threads', '1'], ['log.cleaner.threads', 'many'],
  ['message.max.bytes', '1048588'], ['broker.id', '5'], ['log.dirs', '/elsewhere'], ['no.such.config', '1'],
  ['num.io.threads', '8'], ['num.io.threads', '0'], ['max.connections', '5000'], ['log.flush.interval.ms', '1000'],
  ['log.segment.bytes', '1'], ['compression.type', 'gzip'], ['compression.type', 'rar'],
  ['auto.create.topics.enable', 'false'], ['log.retention.ms', null], ['background.threads', '10'],
  ['log.roll.ms', '0'], ['unclean.leader.election.enable', 'true'], ['log.message.timestamp.type', 'CreateTime'],
] // prettier-ignore

const TIMESTAMPS = [-1n, -2n, -3n, -4n, -5n, -6n, -7n, 0n, 1000n, 5000n, 1_700_000_000_000n]

const topicName: Choice = (random, { api }) =>
  CHANGES_TOPICS.includes(api)
    ? random.mostly(CHANGING, ODD_NAMES, 0.8)
    : random.mostly(STABLE, ODD_NAMES, 0.8)

const groupName: Choice = random => random.mostly(['g1', 'g2', 'g3'], ['', 'no-such-group'], 0.9)

const partition: Choice = random => random.mostly([0, 0, 0, 1, 2], [3, -1, 99], 0.85)

const BY_NAME: Readonly<Record<string, Choice>> = {
  topicId: (random, { api }) =>
    CHANGES_TOPICS.includes(api)
      ? random.mostly(['id:m1', 'id:m2', 'id:m5'], ['id:none', 'id:zero'])
      : random.mostly(['id:one', 'id:three', 'id:empty'], ['id:none', 'id:zero']),
  topicName,
  topicNames: topicName,
  topic: topicName,
  partition,
  partitionId: partition,
  partitionIndex: partition,
  partitionIndexes: partition,
  groupId: groupName,
  group: groupName,
  groups: groupName,
  groupIds: groupName,
  groupsNames: groupName,
  memberId: random => random.mostly([''], ['unknown-member'], 0.8),
  groupInstanceId: () => null,
  protocolType: random => random.mostly(['consumer'], ['', 'connect']),
  memberEpoch: random => random.pick([0, 1, -1, -2]),
  generationId: random => random.pick([-1, 0, 1]),
  generationIdOrMemberEpoch: random => random.mostly([-1], [0, 1, 5]),
  committedOffset: random => random.pick([0n, 5n, 100n]),
  currentLeaderEpoch: random => random.mostly([-1, 0], [1, 99]),
  leaderEpoch: random => random.pick([0, -1, 1, 5]),
  lastFetchedEpoch: () => -1,
  replicaId: random => random.mostly([-1, -2], [5], 0.95),
  maxNumOffsets: () => 1,
  timestamp: random => random.pick(TIMESTAMPS),
  isolationLevel: random => random.mostly([0, 1], [2], 0.95),
  timeoutMs: () => 30_000,
  sessionTimeoutMs: random => random.mostly([10_000], [1, 10_000_000]),
  rebalanceTimeoutMs: () => 10_000,
  transactionTimeoutMs: random => random.mostly([60_000], [0, -1, 100_000_000]),
  transactionalId: random => random.mostly([null], ['tx-1', ''], 0.7),
  maxWaitMs: random => random.pick([0, 5]),
  minBytes: random => random.pick([0, 1, 1000]),
  maxBytes: random => random.mostly([1_048_576, 10_000_000], [0, 1, 100]),
  partitionMaxBytes: random => random.mostly([1_048_576], [0, 1, 100, -1]),
  fetchOffset: random => random.mostly([0n, 5n, 10n], [11n, 1000n, -1n, 20n]),
  logStartOffset: random => random.pick([-1n, 0n]),
  sessionId: random => random.mostly([0], [12345], 0.9),
  sessionEpoch: random => random.mostly([-1], [0, 1, 7], 0.9),
  replicaState: () => ({ replicaId: -1, replicaEpoch: -1n }),
  clusterId: random => random.mostly([null], ['another']),
  rackId: () => '',
  allowAutoTopicCreation: () => false,
  numPartitions: random => random.mostly([1, 2, 3, -1], [0, -2, 20_000]),
  replicationFactor: random => random.mostly([1, 1, -1], [0, 2, -2]),
  brokerIds: random => random.mostly([1], [2, -1], 0.85),
  replicas: random => random.mostly([1], [2, -1], 0.8),
  brokerId: random => random.pick([2, 7, -1]),
  count: random => random.pick([1, 2, 3, 4, 5, 0, -1, 20_000]),
  offset: random => random.pick([0n, 2n, 5n, -1n, -2n, 100n]),
  electionType: random => random.mostly([0, 1], [2, -1], 0.95),
  coordinatorKeys: random => random.pick(['g1', 'tx-1', '', 'group']),
  key: (random, { api }) => (api === 'FindCoordinator' ? random.pick(['g1', 'tx-1', '']) : undefined),
  keyType: random => random.mostly([0, 1], [2, 3, -1], 0.85),
  producerId: random => random.mostly([-1n], [5n, 10_000_000n]),
  producerEpoch: random => random.mostly([-1], [0, 1]),
  acks: random => random.mostly([1, -1], [2, -2], 0.95),
  feature: random => random.pick(['metadata.version', 'group.version', 'no.such.feature']),
  maxVersionLevel: random => random.pick([0, 1, 2, 7, 29, 33, 34, 99, -1]),
  upgradeType: random => random.mostly([1, 2, 3], [0, 4]),
  resourceTypes: random => random.mostly([2, 4, 8, 16, 32], [0, 1, 3, 99]),
  cursor: random => (random.chance(0.7) ? null : { topicName: random.pick(STABLE), partitionIndex: random.pick([0, 1, 5, -1]) }),
  responsePartitionLimit: random => random.pick([2000, 1, 2, 0, -1]),
  endpointType: random => random.mostly([1], [0, 2, 3], 0.8),
  clientSoftwareName: random => random.mostly(['request-diff'], ['', 'bad name!']),
  clientSoftwareVersion: random => random.mostly(['1.0'], ['', '-1-']),
  nodeId: random => random.mostly([-1], [1, 9]),
  states: random => random.pick(['Stable', 'empty', 'Nonsense']),
  statesFilter: random => random.pick(['Stable', 'empty', 'Nonsense']),
  typesFilter: random => random.pick(['classic', 'consumer', 'Nonsense']),
  records: (random, { version }) => random.pick(recordSets(version)),
} // prettier-ignore

/** A value for this place; undefined: make one from the type. */
export function valueOf(
  place: Place,
  type: FieldType,
  isNullable: boolean,
  random: SeededRandom,
): unknown {
  const special = specialValue(place, isNullable, random)
  if (special !== undefined) return special
  if (type.kind === 'array') return undefined
  const name = place.path.findLast(each => each !== '[]')!
  const choice = BY_NAME[name]
  const value =
    choice === undefined && isTopicName(place, name)
      ? topicName(random, place)
      : choice?.(random, place)
  if (value === null && !isNullable) return undefined
  if (typeof value === 'string' && type.kind !== 'string' && type.kind !== 'uuid') return undefined
  if (typeof value === 'number' && type.kind === 'int64') return BigInt(value)
  return value
}

function isTopicName({ path }: Place, name: string): boolean {
  return name === 'name' && path.some(each => /^topics?$|topicData/i.test(each))
}

function creationValue(at: string, random: SeededRandom): unknown {
  if (at.endsWith('.configs')) {
    if (random.chance(0.6)) return []
    return configsOf(TOPIC_CONFIGS, random).map(([name, value]) => ({ name, value }))
  }
  return at.endsWith('.assignments') && random.chance(0.7) ? [] : undefined
}

/** Values that depend on each other: a resource and its settings. */
function specialValue(place: Place, isNullable: boolean, random: SeededRandom): unknown {
  const { api, path } = place
  const at = path.join('.')
  if (/^(Incremental)?AlterConfigs$/.test(api) && at === 'resources') return resources(api, random)
  if (api === 'DescribeConfigs' && at === 'resources') return describedResources(random)
  if (api === 'Produce' && at === 'topicData') return produced(place, random)
  if (api === 'UpdateFeatures' && at === 'featureUpdates') return [featureUpdate(place, random)]
  if (api === 'CreateTopics') return creationValue(at, random)
  if (api === 'CreatePartitions' && at.endsWith('.assignments') && random.chance(0.7)) {
    return isNullable ? null : []
  }
  if (api === 'DeleteTopics' && at === 'topics') {
    const name = () => topicName(random, place)
    const one = () =>
      random.chance(0.6)
        ? { name: name() }
        : { name: null, topicId: BY_NAME.topicId!(random, place) }
    return random.chance(0.6) ? [one()] : [one(), one()]
  }
  // Older versions create what they do not find.
  if (api === 'Metadata' && at === 'topics.name' && place.version < 4) {
    return random.mostly(STABLE, ['', 'bad name', '..'])
  }
  return undefined
}

/** What Kafka cannot read fails the whole request, so a broken set comes alone. */
function produced(place: Place, random: SeededRandom) {
  const sets = recordSets(place.version)
  const isAlone = random.chance(0.6)
  const one = (records: Buffer | null) => ({
    ...(place.version >= 13
      ? { topicId: BY_NAME.topicId!(random, place) }
      : { name: topicName(random, place) }),
    partitionData: [{ index: random.mostly([0], [2, 9, -1]), records }],
  })
  if (isAlone) return [one(random.pick(sets))]
  const topics = [one(sets[0]!), one(sets[1]!)]
  const nameOf = (topic: object) => JSON.stringify(Object.values(topic)[0])
  return nameOf(topics[0]!) === nameOf(topics[1]!) ? topics.slice(1) : topics
}

/** One at a time: of several wrong ones Kafka names one in hash order. */
function featureUpdate(place: Place, random: SeededRandom) {
  return {
    feature: BY_NAME.feature!(random, place),
    maxVersionLevel: BY_NAME.maxVersionLevel!(random, place),
    ...(place.version === 0
      ? { allowDowngrade: random.chance(0.5) }
      : { upgradeType: BY_NAME.upgradeType!(random, place) }),
  }
}

function describedResources(random: SeededRandom) {
  const some = random.pick([
    [2, 'one'], [2, 'three'], [4, '1'], [4, ''], [4, '2'], [4, 'x'], [2, 'missing'], [2, ''], [2, 'bad name'],
    [8, '1'], [8, 'x'], [16, 'metrics'], [16, ''], [32, 'g1'], [32, ''], [0, ''], [99, 'one'], [3, 'one'],
  ] as const) // prettier-ignore
  const keys = some[0] === 2 ? TOPIC_CONFIGS : BROKER_CONFIGS
  const configurationKeys = random.chance(0.2)
    ? null
    : [random.pick(keys)[0], random.pick(keys)[0], 'no.such.config']
  return [{ resourceType: some[0], resourceName: some[1], configurationKeys }]
}

function resources(api: string, random: SeededRandom) {
  const [resourceType, resourceName] = random.pick([
    [2, 'changing'], [2, 'changing'], [2, 'changing'], [4, '1'], [4, ''], [4, '2'], [4, 'x'], [2, 'missing'],
    [2, ''], [2, 'bad name'], [8, '1'], [16, 'metrics'], [32, 'g9'], [32, ''], [0, ''], [99, 'one'], [3, 'one'],
  ] as const) // prettier-ignore
  const pool = resourceType === 4 ? BROKER_CONFIGS : TOPIC_CONFIGS
  const isPlain = ['', 'bad name'].includes(resourceName)
  const configs = (isPlain ? [pool[0]!] : configsOf(pool, random)).map(([name, value]) =>
    api === 'AlterConfigs'
      ? { name, value }
      : {
          name,
          value,
          configOperation: isPlain ? 0 : random.mostly([0, 0, 1], [2, 3, 4, -1], 0.7),
        },
  )
  return [{ resourceType, resourceName, configs }]
}

/** One or two settings of different names; of the two only one can be wrong, since Kafka picks one in hash order. */
function configsOf(pool: readonly (readonly [string, string | null])[], random: SeededRandom) {
  const found = new Map<string, string | null>()
  const [name, value] = random.pick(pool)
  found.set(name, value)
  const [other, good] = pool[0]!
  if (random.chance(0.5) && name !== other) found.set(other, good)
  return [...found]
}
