/**
 * The store of the cluster's metadata: a tree of small nodes with versions, as ZooKeeper has it.
 * Drivers: EmbeddedStore (LMDB, one node) and MemoryStore (tests, simulation); a ZooKeeper driver
 * can follow. test/unit/metadata/store-conformance.ts holds every driver to this contract.
 */
import { BrokerError } from '../base/errors.js'

export interface NodeStat {
  /** Counts the changes of the data, from 0. */
  readonly version: number
  /** Counts the creations and deletions of children, from 0. */
  readonly childrenVersion: number
  readonly childCount: number
  /** The store-wide number of the transaction that created the node; never reused. */
  readonly createdTxid: bigint
  readonly modifiedTxid: bigint
  readonly isEphemeral: boolean
}

export interface StoredNode {
  /** The caller's to keep; null where the node was created without data. */
  readonly data: Buffer | null
  readonly stat: NodeStat
}

/** Ephemeral nodes vanish when their store is closed or its process ends, and have no children. */
export type CreateMode =
  'persistent' | 'ephemeral' | 'persistent-sequential' | 'ephemeral-sequential'

/** Matches any version in `set`, `delete` and `check`. */
export const ANY_VERSION = -1

export type StoreOperation =
  | {
      readonly type: 'create'
      readonly path: string
      readonly data: Buffer | null
      readonly mode?: CreateMode
    }
  | {
      readonly type: 'set'
      readonly path: string
      readonly data: Buffer | null
      readonly version: number
    }
  | { readonly type: 'delete'; readonly path: string; readonly version: number }
  | { readonly type: 'check'; readonly path: string; readonly version: number }

export interface OperationResult {
  /** The node's path; of a sequential create with its number. */
  readonly path: string
  /** The node's version after the operation; -1 after a delete. */
  readonly version: number
}

export interface WatchEvent {
  readonly type: 'created' | 'changed' | 'deleted' | 'children-changed'
  readonly path: string
}

export type WatchKind = 'data' | 'children'

export interface MetadataStore {
  /** Rejects ERR_NO_NODE. Reads see every write that was asked for earlier through this store. */
  get(path: string): Promise<StoredNode>
  /** The node, or undefined. */
  find(path: string): Promise<StoredNode | undefined>
  exists(path: string): Promise<boolean>
  /** The names (not paths) of the children, sorted. Rejects ERR_NO_NODE. */
  children(path: string): Promise<string[]>
  /**
   * Resolves with the path once the node is durable. Rejects ERR_NODE_EXISTS, ERR_NO_NODE (no
   * parent).
   */
  create(path: string, data: Buffer | null, mode?: CreateMode): Promise<string>
  /**
   * Compare-and-set; resolves with the new version once durable. Rejects ERR_NO_NODE,
   * ERR_BAD_VERSION.
   */
  set(path: string, data: Buffer | null, version: number): Promise<number>
  /** Rejects ERR_NO_NODE, ERR_BAD_VERSION, ERR_NOT_EMPTY. */
  delete(path: string, version: number): Promise<void>
  /**
   * All operations in order, or none; later ones see earlier ones. Resolves once durable. Rejects
   * as the first operation that fails, with its index.
   */
  multi(operations: readonly StoreOperation[]): Promise<OperationResult[]>
  /**
   * Calls `listener` after each change, in the order of the changes, until the returned function is
   * called. 'data' watches one node (which need not exist), 'children' its list of children. An
   * event says only that something changed: the listener reads again, and several changes may come
   * as one event. Events come before the promise of the write that caused them settles. A listener
   * must not throw.
   */
  watch(path: string, kind: WatchKind, listener: (event: WatchEvent) => void): () => void
  /**
   * Finishes what was asked for, removes ephemeral nodes, and releases the store. Later calls
   * reject.
   */
  close(): Promise<void>
}

export type StoreErrorCode =
  | 'ERR_NODE_EXISTS'
  | 'ERR_NO_NODE'
  | 'ERR_BAD_VERSION'
  | 'ERR_NOT_EMPTY'
  | 'ERR_NO_CHILDREN_FOR_EPHEMERALS'
  | 'ERR_BAD_PATH'
  | 'ERR_STORE_CLOSED'
  | 'ERR_STORE_WRITE'

const MEANING: Readonly<Record<StoreErrorCode, string>> = {
  ERR_NODE_EXISTS: 'the node exists already',
  ERR_NO_NODE: 'there is no such node, or no parent to create it in',
  ERR_BAD_VERSION: 'the node was changed by somebody else; read it again',
  ERR_NOT_EMPTY: 'the node has children; delete them first',
  ERR_NO_CHILDREN_FOR_EPHEMERALS: 'an ephemeral node cannot have children',
  ERR_BAD_PATH:
    'a path must be absolute, without empty, "." or ".." parts, and at most 1,900 bytes long',
  ERR_STORE_CLOSED: 'the metadata store is closed',
  ERR_STORE_WRITE: 'the metadata store could not be written',
}

export class MetadataStoreError extends BrokerError {
  declare readonly code: StoreErrorCode
  readonly path: string
  /** Which operation of a multi failed; 0 for a single one. */
  readonly operationIndex: number

  constructor(code: StoreErrorCode, path: string, operationIndex = 0, cause?: unknown) {
    const because = cause instanceof Error ? ` (${cause.message})` : ''
    super(code, `Metadata node ${path}: ${MEANING[code]}${because}.`, { cause })
    this.name = 'MetadataStoreError'
    this.path = path
    this.operationIndex = operationIndex
  }
}

/**
 * Creates `paths` and their missing parents as persistent nodes without data; existing ones are
 * fine. What is missing is asked for in one turn, so that a driver can store it in one write.
 */
export async function ensurePaths(store: MetadataStore, ...paths: string[]): Promise<void> {
  const wanted = new Set(paths.flatMap(lineage))
  const present = await Promise.all([...wanted].map(path => store.exists(path)))
  const missing = [...wanted].filter((_, index) => present[index] === false)
  const ignoreExisting = (error: unknown) => {
    if (!isStoreError(error, 'ERR_NODE_EXISTS')) throw error
  }
  await Promise.all(missing.map(path => store.create(path, null).catch(ignoreExisting)))
}

/** `/a`, `/a/b`, `/a/b/c`. */
function lineage(path: string): string[] {
  const parts = path.split('/').slice(1)
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`)
}

export function isStoreError(error: unknown, code: StoreErrorCode): error is MetadataStoreError {
  return error instanceof MetadataStoreError && error.code === code
}
