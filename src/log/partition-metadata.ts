/**
 * `partition.metadata` in a partition's folder names the topic's id, so that the folder of a
 * deleted topic is not taken for that of a new one with the same name. Two lines, without a newline
 * at the end.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BrokerError, codeOf } from '../base/errors.js'
import { isUuid, ZERO_UUID, type Uuid } from '../base/uuid.js'
import { replaceFile } from './durable-file.js'

export const PARTITION_METADATA_FILE = 'partition.metadata'

/** The topic's id; undefined when the file is missing. Throws ERR_PARTITION_METADATA_MALFORMED. */
export function readPartitionMetadata(partitionDir: string): Uuid | undefined {
  const path = join(partitionDir, PARTITION_METADATA_FILE)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
  const match = /^version:\s*0\s*\ntopic_id:\s*(\S+)\s*$/.exec(text)
  const id = match?.[1] ?? ''
  if (!isUuid(id) || id === ZERO_UUID) {
    throw new BrokerError(
      'ERR_PARTITION_METADATA_MALFORMED',
      `${path} does not name a topic id. Restore it, or move the folder out of the log dir.`,
    )
  }
  return id
}

/** Durable when the promise resolves; call before the partition's first append. */
export function writePartitionMetadata(partitionDir: string, topicId: Uuid): Promise<void> {
  const path = join(partitionDir, PARTITION_METADATA_FILE)
  return replaceFile(path, partitionMetadataText(topicId))
}

function partitionMetadataText(topicId: Uuid): string {
  return `version: 0\ntopic_id: ${topicId}`
}
