/**
 * The MetadataStore of a single node, on LMDB. Durable: a write has been synced when its promise
 * resolves. The sync runs on the calling thread, once for all writes of one turn of the event loop.
 * LMDB is loaded on first use. Keys: the node's depth as one byte, then its path, so that siblings
 * are neighbours; 0xFF and a path lists ephemeral nodes; 0x00 is the last transaction number.
 */
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Database } from 'lmdb'
import { BrokerError, messageOf } from '../base/errors.js'
import { makeFolder } from '../base/folder.js'
import { decodeNodeRecord, encodeNodeRecord, type NodeRecord } from './node-record.js'
import { lockStore, type StoreLock } from './store-lock.js'
import type { NodeChanges } from './tree-transaction.js'
import { TreeStore, type NodeBackend } from './tree-store.js'

type Lmdb = Database<Buffer, Buffer>

const LAST_TXID_KEY = Buffer.from([0])
const EPHEMERAL_PREFIX = Buffer.from([0xff])
const END_OF_KEYS = Buffer.from([0xff, 0xff])
const NOTHING = Buffer.alloc(1)

export class EmbeddedStore extends TreeStore {
  private constructor(backend: LmdbBackend) {
    super(backend)
  }

  /**
   * Opens or creates the store in the folder `dir`. Ephemeral nodes of an earlier process are
   * removed. Throws ERR_METADATA_LOCKED when another live broker has it, ERR_METADATA_UNUSABLE when
   * it cannot be created, read or written.
   */
  static async open(dir: string): Promise<EmbeddedStore> {
    let lock: StoreLock | undefined
    try {
      makeFolder(dir)
      lock = lockStore(dir)
      const { open } = await import('lmdb')
      const database = open<Buffer, Buffer>({
        path: dir,
        encoding: 'binary',
        keyEncoding: 'binary',
        overlappingSync: false,
        cache: false,
        maxReaders: 32,
      })
      // The file's own name must survive a power loss too.
      for (const folder of [dir, dirname(resolve(dir))]) syncFolder(folder)
      const store = new EmbeddedStore(new LmdbBackend(database, lock))
      await store.removeEphemeralNodes()
      return store
    } catch (error) {
      lock?.release()
      if (error instanceof BrokerError) throw error
      throw new BrokerError(
        'ERR_METADATA_UNUSABLE',
        `Cannot use the metadata folder ${dir}: ${messageOf(error)}. Check that it is a writable ` +
          'folder with free space, or set metadata.dir to another one.',
        { cause: error },
      )
    }
  }
}

class LmdbBackend implements NodeBackend {
  readonly #database: Lmdb
  readonly #lock: StoreLock

  constructor(database: Lmdb, lock: StoreLock) {
    this.#database = database
    this.#lock = lock
  }

  read(path: string): NodeRecord | undefined {
    const bytes = this.#database.getBinary(nodeKey(path))
    return bytes === undefined ? undefined : decodeNodeRecord(bytes, path)
  }

  childNames(path: string): string[] {
    const prefix = path === '/' ? '/' : `${path}/`
    const start = nodeKey(`${prefix}\u0001`)
    // '0' is the character behind '/', so this is just past all that begins with the prefix.
    const end = Buffer.from(start.subarray(0, -1))
    end[end.length - 1]! += 1
    return [...this.#database.getKeys({ start, end })].map(key =>
      key.toString('utf8', start.length - 1),
    )
  }

  ephemeralPaths(): string[] {
    const keys = this.#database.getKeys({ start: EPHEMERAL_PREFIX, end: END_OF_KEYS })
    return [...keys].map(key => key.toString('utf8', 1))
  }

  lastTxid(): bigint {
    return this.#database.getBinary(LAST_TXID_KEY)?.readBigInt64BE(0) ?? 0n
  }

  commit(changes: NodeChanges, lastTxid: bigint): void {
    const database = this.#database
    database.transactionSync(() => {
      for (const [path, record] of changes) {
        const key = nodeKey(path)
        if (record === null) {
          database.removeSync(key)
          database.removeSync(ephemeralKey(path))
          continue
        }
        database.putSync(key, encodeNodeRecord(record))
        if (record.isEphemeral) database.putSync(ephemeralKey(path), NOTHING)
      }
      const txid = Buffer.alloc(8)
      txid.writeBigInt64BE(lastTxid)
      database.putSync(LAST_TXID_KEY, txid)
    })
  }

  async close(): Promise<void> {
    await this.#database.close()
    this.#lock.release()
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** Depth 1 is the root, so that no node's key begins with 0x00. */
function nodeKey(path: string): Buffer {
  const depth = path === '/' ? 1 : path.split('/').length
  return Buffer.from(String.fromCharCode(Math.min(depth, 0x7f)) + path)
}

function ephemeralKey(path: string): Buffer {
  const key = Buffer.alloc(1 + Buffer.byteLength(path), 0xff)
  key.write(path, 1)
  return key
}
