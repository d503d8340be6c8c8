/**
 * Opens at start what the registry says this broker leads: finds each partition's folder, makes missing ones, sets
 * folders aside that belong to nothing known, and gives the rest to the data plane.
 */
import { uuidToBytes } from '../base/uuid.js'
import { BrokerError } from '../base/errors.js'
import { NativeErrorCode } from '../binding/errors.js'
import type { PartitionSpec } from '../binding/native-addon.js'
import type { BrokerConfig } from '../config/broker-config.js'
import type { TopicConfigs } from '../config/topic-config.js'
import { writePartitionMetadata } from '../log/partition-metadata.js'
import type { TopicRegistry } from '../metadata/topic-registry.js'
import type { Topic } from '../metadata/topic.js'
import type { KnownPartition, LogDirs } from './log-dirs.js'
import { logSettingsOf } from './log-settings.js'
import type { ReplicaManager } from './replica-manager.js'

export interface PartitionStartParts {
  readonly broker: BrokerConfig
  readonly topicConfigs: TopicConfigs
  readonly registry: TopicRegistry
  readonly replicas: ReplicaManager
  readonly logDirs: LogDirs
  /** A sentence for the operator; the start goes on. */
  onProblem(message: string): void
}

/** `found` is what the scan of the log dirs gave. Throws ERR_METADATA_LOST if none of it is known. */
export async function openRegisteredPartitions(
  parts: PartitionStartParts,
  found: readonly KnownPartition[],
): Promise<void> {
  refuseLostMetadata(parts, found)
  const folders = await ownFolders(parts, found)
  const specs: PartitionSpec[] = []
  for (const topic of parts.registry.list()) specs.push(...(await specsOf(topic, folders, parts)))
  const failures = await parts.replicas.open(specs)
  for (const { topic, partition, message } of failures) {
    const logDir = folders.get(keyOf(topic, partition))?.logDir
    if (logDir !== undefined) parts.logDirs.markUnclean(logDir)
    parts.onProblem(`Partition ${topic}-${partition} is not served: ${message}`)
  }
}

/** Logs without any metadata mean a wrong or lost metadata folder: nothing may be renamed then. */
function refuseLostMetadata(
  { broker, registry }: PartitionStartParts,
  found: readonly KnownPartition[],
): void {
  const first = found[0]
  if (first === undefined || registry.size > 0) return
  throw new BrokerError(
    'ERR_METADATA_LOST',
    `${first.logDir} holds partitions (such as ${first.topic}-${first.partition}), but the metadata ` +
      `in ${broker.metadataDir} knows no topic. Set metadata.dir to the folder that belongs to ` +
      'them, or move the partitions away.',
  )
}

/** The folders that belong to registered topics; all others are set aside. */
async function ownFolders(
  { registry, logDirs, onProblem }: PartitionStartParts,
  found: readonly KnownPartition[],
): Promise<Map<string, KnownPartition>> {
  const own = new Map<string, KnownPartition>()
  for (const folder of found) {
    const key = keyOf(folder.topic, folder.partition)
    const topic = registry.getByName(folder.topic)
    const belongs =
      topic !== undefined &&
      folder.partition < topic.partitions.length &&
      (folder.topicId === undefined || folder.topicId === topic.topicId) &&
      !own.has(key)
    if (belongs) {
      own.set(key, folder)
      if (folder.topicId === undefined) await writePartitionMetadata(folder.path, topic.topicId)
    } else {
      const path = await logDirs.setAside(folder)
      onProblem(`The folder of ${key} belongs to no known topic; it was renamed to ${path}.`)
    }
  }
  return own
}

async function specsOf(
  topic: Topic,
  folders: ReadonlyMap<string, KnownPartition>,
  { broker, topicConfigs, logDirs, replicas: manager, onProblem }: PartitionStartParts,
): Promise<PartitionSpec[]> {
  const settings = logSettingsOf(topicConfigs.of(topic.configs), broker)
  const topicId = uuidToBytes(topic.topicId)
  const specs: PartitionSpec[] = []
  for (const { partition, replicas, leaderEpoch } of topic.partitions) {
    if (!replicas.includes(broker.nodeId)) continue
    const folder = folders.get(keyOf(topic.name, partition))
    if (folder === undefined && logDirs.hasFailed) {
      // It may lie in the failed dir: an empty log in another one would take its place for good.
      const message = 'it is in none of the log dirs that work'
      manager.fail({ topic: topic.name, partition, code: NativeErrorCode.io, message })
      onProblem(`Partition ${topic.name}-${partition} is offline: ${message}.`)
      continue
    }
    if (folder === undefined) {
      onProblem(
        `The folder of ${topic.name}-${partition} is missing: its records are not here. An empty log ` +
          'takes its place. If a disk is not mounted, stop the broker, mount it and start again.',
      )
    }
    const { logDir, cleanShutdown, recoveryPoint, logStartOffset } = folder ?? {
      logDir: await logDirs.prepare(topic, partition),
      cleanShutdown: true,
      recoveryPoint: 0n,
      logStartOffset: 0n,
    }
    const start = { cleanShutdown, recoveryPoint, logStartOffset }
    specs.push({ topic: topic.name, topicId, partition, logDir, leaderEpoch, ...start, settings })
  }
  return specs
}

function keyOf(topic: string, partition: number): string {
  return `${topic}-${partition}`
}
