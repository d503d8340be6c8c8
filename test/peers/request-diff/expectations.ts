/** The differences between Apache Kafka and us that are meant, each with its reason; docs/differences.md has them too. */
import type { Difference } from './compare.js'
import type { Body } from './generate.js'

export interface Expectation {
  readonly api: RegExp
  readonly path: RegExp
  readonly reason: string
  when?(difference: Difference, body: Body, version: number): boolean
}

/** The sentences that Kafka has for codes alone. */
const GENERIC = /^(null|"This most likely occurs because of a request being malformed)/
const OWN_SETTINGS = /"(acks\.all\.flush|metadata\.dir|logger\.[a-z]+)"/

export const expectations: readonly Expectation[] = [
  {
    api: /^ApiVersions$/,
    path: /^(apiKeys|supportedFeatures|finalizedFeatures)\[\]$/,
    reason: 'APIs and features that are not built are not listed',
    when: ({ ours }) => ours === 'absent',
  },
  {
    api: /^DescribeConfigs$/,
    path: /\.documentation$/,
    reason: 'the documentation of settings is in our own words',
  },
  {
    api: /^(DescribeConfigs|CreateTopics)$/,
    path: /configs\[\]/,
    reason: 'a new cluster of Kafka has min.insync.replicas set, for eligible leader replicas',
    when: ({ kafka, ours }) =>
      (kafka === '3' && ours === '5') || kafka.includes('"min.insync.replicas"'),
  },
  {
    api: /^AlterConfigs$/,
    path: /^responses\[\]\./,
    reason: 'eligible leader replicas guard min.insync.replicas of the cluster',
    when: ({ kafka }) => kafka === '40' || kafka.includes('while ELR is enabled'),
  },
  {
    api: /^(DescribeConfigs|CreateTopics)$/,
    path: /configs\[\]$/,
    reason: 'our own settings',
    when: ({ kafka, ours }) => kafka === 'absent' && OWN_SETTINGS.test(ours),
  },
  {
    api: /^DescribeConfigs$/,
    path: /configs\[\]$/,
    reason: 'there is one logger, root',
    when: (_difference, { resources }) => isOfLoggers(resources),
  },
  {
    api: /^DescribeConfigs$/,
    path: /configs\[\](\.value|\.configSource|)$/,
    reason: 'both brokers are started with settings of their own, and metadata lies elsewhere',
    when: (_difference, { resources }) => isOfBroker(resources),
  },
  {
    api: /^Produce$/,
    path: /(errorCode|errorMessage)$/,
    reason: 'what Kafka cannot read is refused before the partition is looked for, in its words',
    when: ({ kafka }) => kafka === '2' || kafka.startsWith('"Invalid magic found in record'),
  },
  {
    api: /^Produce$/,
    path: /logStartOffset$/,
    reason: 'the log start offset stands in every refusal that the log gives',
    when: ({ kafka }) => kafka === '-1',
  },
  {
    api: /^(InitProducerId|FindCoordinator)$/,
    path: /^(errorCode|errorMessage|producerId|producerEpoch|nodeId|host|port|coordinators\[\].*)$/,
    reason: 'transactions and share groups are not built yet',
    when: (_difference, { transactionalId, keyType }) =>
      typeof transactionalId === 'string' || (typeof keyType === 'number' && keyType > 0),
  },
  {
    api: /^Produce$/,
    path: /errorCode$/,
    reason: 'acks is checked before the partitions',
    when: ({ ours }) => ours === '21',
  },
  {
    api: /./,
    path: /errorCode$/i,
    reason: 'where a value makes Kafka throw (-1), we name the mistake or ignore the value',
    when: ({ kafka }) => kafka === '-1',
  },
  {
    api: /^ListOffsets$/,
    path: /^topics\[\]$/,
    reason: 'the same, for topics of which nothing is asked',
    when: ({ ours }, { isolationLevel }) => ours === 'absent' && isolationLevel === 2,
  },
  {
    api: /^(Produce|FindCoordinator|DescribeConfigs|IncrementalAlterConfigs)$/,
    path: /errorMessage$/,
    reason: 'a sentence of our own where Kafka has none, or only that of the code',
    when: ({ kafka }) => GENERIC.test(kafka),
  },
]

function isOfLoggers(resources: unknown): boolean {
  const [first] = resources as { resourceType: number }[]
  return first?.resourceType === 8
}

function isOfBroker(resources: unknown): boolean {
  const [first] = resources as { resourceType: number; resourceName: string }[]
  return first?.resourceType === 4 && first.resourceName === '1'
}
