/**
 * The semantics that the embedded and the memory driver share. Writes that are asked for in one
 * turn of the event loop are committed together (one sync for all of them), each multi still atomic
 * by itself.
 */
import {
  MetadataStoreError,
  type CreateMode,
  type MetadataStore,
  type OperationResult,
  type StoredNode,
  type StoreOperation,
  type WatchEvent,
  type WatchKind,
} from './metadata-store.js'
import { storedNodeOf, type NodeRecord } from './node-record.js'
import { isValidPath, TreeTransaction, type NodeChanges } from './tree-transaction.js'
import { WatchRegistry } from './watch-registry.js'

/** Where the nodes are kept. Synchronous; `commit` returns when the changes are durable. */
export interface NodeBackend {
  read(path: string): NodeRecord | undefined
  childNames(path: string): string[]
  ephemeralPaths(): string[]
  lastTxid(): bigint
  /** All or nothing. */
  commit(changes: NodeChanges, lastTxid: bigint): void
  close(): Promise<void>
}

interface PendingMulti {
  readonly operations: readonly StoreOperation[]
  readonly resolve: (results: OperationResult[]) => void
  readonly reject: (error: unknown) => void
}

const EMPTY_ROOT: NodeRecord = {
  data: null,
  version: 0,
  childrenVersion: 0,
  childCount: 0,
  createdTxid: 0n,
  modifiedTxid: 0n,
  isEphemeral: false,
}

export class TreeStore implements MetadataStore {
  readonly #backend: NodeBackend
  readonly #watches = new WatchRegistry()
  #pending: PendingMulti[] = []
  /** Settles when the writes that are pending now are committed. */
  #flushing: Promise<void> | undefined
  #state: 'open' | 'closing' | 'closed' = 'open'

  protected constructor(backend: NodeBackend) {
    this.#backend = backend
  }

  async get(path: string): Promise<StoredNode> {
    const node = await this.find(path)
    if (node === undefined) throw new MetadataStoreError('ERR_NO_NODE', path)
    return node
  }

  async find(path: string): Promise<StoredNode | undefined> {
    await this.#beforeRead(path)
    const record = this.#read(path)
    return record === undefined ? undefined : storedNodeOf(record)
  }

  async exists(path: string): Promise<boolean> {
    await this.#beforeRead(path)
    return this.#read(path) !== undefined
  }

  async children(path: string): Promise<string[]> {
    await this.#beforeRead(path)
    if (this.#read(path) === undefined) throw new MetadataStoreError('ERR_NO_NODE', path)
    return this.#backend.childNames(path).sort()
  }

  async create(path: string, data: Buffer | null, mode?: CreateMode): Promise<string> {
    const [result] = await this.multi([
      { type: 'create', path, data, ...(mode === undefined ? {} : { mode }) },
    ])
    return result!.path
  }

  async set(path: string, data: Buffer | null, version: number): Promise<number> {
    const [result] = await this.multi([{ type: 'set', path, data, version }])
    return result!.version
  }

  async delete(path: string, version: number): Promise<void> {
    await this.multi([{ type: 'delete', path, version }])
  }

  multi(operations: readonly StoreOperation[]): Promise<OperationResult[]> {
    if (this.#state !== 'open') {
      return Promise.reject(new MetadataStoreError('ERR_STORE_CLOSED', operations[0]?.path ?? '/'))
    }
    return this.#enqueue(operations)
  }

  watch(path: string, kind: WatchKind, listener: (event: WatchEvent) => void): () => void {
    return this.#watches.add(path, kind, listener)
  }

  async close(): Promise<void> {
    if (this.#state !== 'open') return
    this.#state = 'closing'
    try {
      await this.#flushing
      await this.removeEphemeralNodes()
    } finally {
      this.#state = 'closed'
      this.#watches.clear()
      await this.#backend.close()
    }
  }

  /** Deletes all ephemeral nodes: those of a process that died, at open, or our own, at close. */
  protected async removeEphemeralNodes(): Promise<void> {
    const paths = this.#backend.ephemeralPaths()
    if (paths.length === 0) return
    await this.#enqueue(paths.map(path => ({ type: 'delete', path, version: -1 })))
  }

  #enqueue(operations: readonly StoreOperation[]): Promise<OperationResult[]> {
    const result = new Promise<OperationResult[]>((resolve, reject) => {
      this.#pending.push({ operations, resolve, reject })
    })
    this.#flushing ??= new Promise<void>(resolve => {
      setImmediate(() => {
        this.#flushing = undefined
        this.#flush()
        resolve()
      })
    })
    return result
  }

  #flush(): void {
    const batch = this.#pending
    this.#pending = []
    const merged = new Map<string, NodeRecord | null>()
    const read = (path: string) => {
      const changed = merged.get(path)
      return changed === undefined ? this.#read(path) : (changed ?? undefined)
    }
    const settle: (() => void)[] = []
    const events: WatchEvent[] = []
    let txid = this.#backend.lastTxid()
    for (const { operations, resolve, reject } of batch) {
      const transaction = new TreeTransaction(read, txid + 1n)
      try {
        const results = transaction.applyAll(operations)
        for (const [path, record] of transaction.changes) merged.set(path, record)
        for (const event of transaction.events) events.push(event)
        txid += 1n
        settle.push(() => resolve(results))
      } catch (error) {
        settle.push(() => reject(error))
      }
    }
    if (this.#commit(merged, txid, batch)) {
      this.#watches.deliver(events)
      for (const report of settle) report()
    }
  }

  /** False, with every write of the batch rejected, when the backend cannot store it. */
  #commit(
    changes: Map<string, NodeRecord | null>,
    txid: bigint,
    batch: readonly PendingMulti[],
  ): boolean {
    if (changes.size === 0) return true
    try {
      this.#backend.commit(changes, txid)
      return true
    } catch (error) {
      for (const { operations, reject } of batch) {
        reject(new MetadataStoreError('ERR_STORE_WRITE', operations[0]?.path ?? '/', 0, error))
      }
      return false
    }
  }

  #read(path: string): NodeRecord | undefined {
    return this.#backend.read(path) ?? (path === '/' ? EMPTY_ROOT : undefined)
  }

  async #beforeRead(path: string): Promise<void> {
    if (path !== '/' && !isValidPath(path)) throw new MetadataStoreError('ERR_BAD_PATH', path)
    await this.#flushing
    if (this.#state === 'closed') throw new MetadataStoreError('ERR_STORE_CLOSED', path)
  }
}
