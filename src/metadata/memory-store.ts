/** A MetadataStore without a disk, for tests and simulation. */
import type { NodeRecord } from './node-record.js'
import { parentOf, type NodeChanges } from './tree-transaction.js'
import { TreeStore, type NodeBackend } from './tree-store.js'

export class MemoryStore extends TreeStore {
  constructor() {
    super(new MemoryBackend())
  }
}

class MemoryBackend implements NodeBackend {
  readonly #nodes = new Map<string, NodeRecord>()
  #lastTxid = 0n

  read(path: string): NodeRecord | undefined {
    return this.#nodes.get(path)
  }

  childNames(path: string): string[] {
    return [...this.#nodes.keys()]
      .filter(other => other !== '/' && parentOf(other) === path)
      .map(other => other.slice(other.lastIndexOf('/') + 1))
  }

  ephemeralPaths(): string[] {
    return [...this.#nodes].filter(([, node]) => node.isEphemeral).map(([path]) => path)
  }

  lastTxid(): bigint {
    return this.#lastTxid
  }

  commit(changes: NodeChanges, lastTxid: bigint): void {
    for (const [path, record] of changes) {
      if (record === null) this.#nodes.delete(path)
      else this.#nodes.set(path, record)
    }
    this.#lastTxid = lastTxid
  }

  close(): Promise<void> {
    return Promise.resolve()
  }
}
