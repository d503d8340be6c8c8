/** The id of the cluster: made by the first broker, and the same for ever after. */
import { BrokerError } from '../base/errors.js'
import { randomUuid } from '../base/uuid.js'
import { ensurePaths, isStoreError, type MetadataStore } from './metadata-store.js'
import { CLUSTER_ID_PATH, decodeClusterId, encodeClusterId } from './topic-nodes.js'

/**
 * The stored id, or a new one. `expected` is the id that the log dirs already bear: it is adopted
 * by an empty store, and must equal the stored one otherwise (ERR_CLUSTER_ID_MISMATCH).
 */
export async function ensureClusterId(
  store: MetadataStore,
  expected?: string | undefined,
): Promise<string> {
  await ensurePaths(store, '/cluster')
  const stored = await storedClusterId(store)
  const id = stored ?? (await createClusterId(store, expected ?? randomUuid()))
  if (expected !== undefined && id !== expected) {
    throw new BrokerError(
      'ERR_CLUSTER_ID_MISMATCH',
      `The log dirs belong to cluster ${expected}, the metadata store to cluster ${id}. ` +
        'Set log.dirs and metadata.dir to folders of the same cluster.',
    )
  }
  return id
}

async function storedClusterId(store: MetadataStore): Promise<string | undefined> {
  const node = await store.find(CLUSTER_ID_PATH)
  return node === undefined ? undefined : decodeClusterId(node.data, CLUSTER_ID_PATH)
}

/** Who loses the race to create it takes the winner's. */
async function createClusterId(store: MetadataStore, id: string): Promise<string> {
  try {
    await store.create(CLUSTER_ID_PATH, encodeClusterId(id))
    return id
  } catch (error) {
    if (!isStoreError(error, 'ERR_NODE_EXISTS')) throw error
    return (await storedClusterId(store)) ?? id
  }
}
