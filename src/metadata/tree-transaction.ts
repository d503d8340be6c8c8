/**
 * One atomic multi over the tree: reads through to the stored nodes, keeps its changes to itself,
 * and gives them away with the watch events they cause. Pure: the drivers commit what it collected.
 */
import {
  ANY_VERSION,
  MetadataStoreError,
  type CreateMode,
  type OperationResult,
  type StoreErrorCode,
  type StoreOperation,
  type WatchEvent,
} from './metadata-store.js'
import type { NodeRecord } from './node-record.js'

/** A changed node, or null for a deleted one, by path. */
export type NodeChanges = ReadonlyMap<string, NodeRecord | null>

const PATH_BYTES_MAX = 1900

export class TreeTransaction {
  readonly events: WatchEvent[] = []
  readonly #read: (path: string) => NodeRecord | undefined
  readonly #txid: bigint
  readonly #changes = new Map<string, NodeRecord | null>()

  constructor(read: (path: string) => NodeRecord | undefined, txid: bigint) {
    this.#read = read
    this.#txid = txid
  }

  get changes(): NodeChanges {
    return this.#changes
  }

  /** Applies all operations or throws the MetadataStoreError of the first that fails. */
  applyAll(operations: readonly StoreOperation[]): OperationResult[] {
    return operations.map((operation, index) => this.#apply(operation, index))
  }

  #apply(operation: StoreOperation, index: number): OperationResult {
    const fail = (code: StoreErrorCode) => {
      throw new MetadataStoreError(code, operation.path, index)
    }
    switch (operation.type) {
      case 'create':
        return this.#create(operation, fail)
      case 'set':
        return this.#set(operation, fail)
      case 'delete':
        return this.#delete(operation, fail)
      case 'check': {
        const node = this.#matching(operation, fail)
        return { path: operation.path, version: node.version }
      }
    }
  }

  #create(operation: Extract<StoreOperation, { type: 'create' }>, fail: Fail): OperationResult {
    if (!isValidPath(operation.path)) return fail('ERR_BAD_PATH')
    const mode: CreateMode = operation.mode ?? 'persistent'
    const parentPath = parentOf(operation.path)
    const parent = this.#node(parentPath)
    if (parent === undefined) return fail('ERR_NO_NODE')
    if (parent.isEphemeral) return fail('ERR_NO_CHILDREN_FOR_EPHEMERALS')
    const number = mode.endsWith('-sequential') ? sequenceText(parent.childrenVersion) : ''
    const path = operation.path + number
    if (this.#node(path) !== undefined) return fail('ERR_NODE_EXISTS')
    this.#changes.set(path, {
      data: operation.data,
      version: 0,
      childrenVersion: 0,
      childCount: 0,
      createdTxid: this.#txid,
      modifiedTxid: this.#txid,
      isEphemeral: mode.startsWith('ephemeral'),
    })
    this.#countChild(parentPath, parent, 1)
    this.events.push({ type: 'created', path }, { type: 'children-changed', path: parentPath })
    return { path, version: 0 }
  }

  #set(operation: Extract<StoreOperation, { type: 'set' }>, fail: Fail): OperationResult {
    const node = this.#matching(operation, fail)
    const version = node.version + 1
    const changed = { ...node, data: operation.data, version, modifiedTxid: this.#txid }
    this.#changes.set(operation.path, changed)
    this.events.push({ type: 'changed', path: operation.path })
    return { path: operation.path, version }
  }

  #delete(operation: Extract<StoreOperation, { type: 'delete' }>, fail: Fail): OperationResult {
    const { path } = operation
    if (path === '/') return fail('ERR_BAD_PATH')
    const node = this.#matching(operation, fail)
    if (node.childCount > 0) return fail('ERR_NOT_EMPTY')
    this.#changes.set(path, null)
    const parentPath = parentOf(path)
    const parent = this.#node(parentPath)
    if (parent !== undefined) this.#countChild(parentPath, parent, -1)
    this.events.push({ type: 'deleted', path }, { type: 'children-changed', path: parentPath })
    return { path, version: ANY_VERSION }
  }

  #matching({ path, version }: { path: string; version: number }, fail: Fail): NodeRecord {
    const node = this.#node(path)
    if (node === undefined) return fail('ERR_NO_NODE')
    if (version !== ANY_VERSION && version !== node.version) return fail('ERR_BAD_VERSION')
    return node
  }

  #node(path: string): NodeRecord | undefined {
    const changed = this.#changes.get(path)
    return changed === undefined ? this.#read(path) : (changed ?? undefined)
  }

  #countChild(path: string, parent: NodeRecord, by: 1 | -1): void {
    this.#changes.set(path, {
      ...parent,
      childrenVersion: parent.childrenVersion + 1,
      childCount: parent.childCount + by,
    })
  }
}

type Fail = (code: StoreErrorCode) => never

/** Ten digits, as ZooKeeper numbers sequential nodes. */
function sequenceText(number: number): string {
  return String(number).padStart(10, '0')
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')))
}

export function isValidPath(path: string): boolean {
  if (!path.startsWith('/') || path === '/' || Buffer.byteLength(path) > PATH_BYTES_MAX)
    return false
  if (path.includes('\u0000')) return false
  return path
    .slice(1)
    .split('/')
    .every(part => part !== '' && part !== '.' && part !== '..')
}
