/**
 * `meta.properties` in the root of a log dir says whose it is: version 1 as KRaft writes it
 * (node.id, cluster.id, directory.id), version 0 as ZooKeeper clusters wrote it (broker.id) is read
 * and replaced.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BrokerError, codeOf } from '../base/errors.js'
import { isUuid, type Uuid } from '../base/uuid.js'
import { formatProperties, parseProperties } from '../config/properties-file.js'
import { replaceFileSync } from './durable-file.js'

export const META_PROPERTIES_FILE = 'meta.properties'

export interface MetaProperties {
  readonly version: 0 | 1
  readonly nodeId: number
  readonly clusterId: string | undefined
  readonly directoryId: Uuid | undefined
}

/** Undefined when the file is missing. Throws ERR_META_PROPERTIES_MALFORMED. */
export function readMetaProperties(logDir: string): MetaProperties | undefined {
  const path = join(logDir, META_PROPERTIES_FILE)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
  return parseMetaProperties(text, path)
}

/** Writes version 1, durably. Other entries of the file are not kept. */
export function writeMetaProperties(
  logDir: string,
  meta: { readonly nodeId: number; readonly clusterId: string; readonly directoryId: Uuid },
): void {
  const entries: [string, string][] = [
    ['cluster.id', meta.clusterId],
    ['directory.id', meta.directoryId],
    ['node.id', String(meta.nodeId)],
    ['version', '1'],
  ]
  replaceFileSync(join(logDir, META_PROPERTIES_FILE), `#\n${formatProperties(entries)}`)
}

function parseMetaProperties(text: string, path: string): MetaProperties {
  const values = new Map(parseProperties(text, path).map(({ key, value }) => [key, value.trim()]))
  const version = values.get('version')
  if (version !== '0' && version !== '1') throw malformed(path, 'its version is neither 0 nor 1')
  const id = values.get(version === '1' ? 'node.id' : 'broker.id') ?? ''
  if (!/^[0-9]{1,9}$/.test(id)) throw malformed(path, 'it has no valid node.id')
  const clusterId = values.get('cluster.id')
  if (version === '1' && clusterId === undefined) throw malformed(path, 'it has no cluster.id')
  const directoryId = values.get('directory.id')
  if (directoryId !== undefined && !isUuid(directoryId)) {
    throw malformed(path, 'its directory.id is not a Uuid')
  }
  return { version: version === '1' ? 1 : 0, nodeId: Number(id), clusterId, directoryId }
}

function malformed(path: string, why: string): BrokerError {
  return new BrokerError(
    'ERR_META_PROPERTIES_MALFORMED',
    `${path} cannot be used: ${why}. Restore it, or delete it if the log dir belongs to ` +
      'this broker.',
  )
}
