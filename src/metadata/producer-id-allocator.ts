/**
 * Hands out producer ids. A block of 1,000 is claimed in the store, durably, before its first id
 * leaves, so no id is given twice, whatever crashes; the rest of a block is lost with its process.
 */
import { BrokerError } from '../base/errors.js'
import { ANY_VERSION, isStoreError, type MetadataStore } from './metadata-store.js'
import {
  decodeProducerIdBlock,
  encodeProducerIdBlock,
  PRODUCER_ID_BLOCK_PATH,
  type ProducerIdBlock,
} from './topic-nodes.js'

const BLOCK_SIZE = 1000n
const PRODUCER_ID_MAX = 2n ** 63n - 1n

export class ProducerIdAllocator {
  readonly #store: MetadataStore
  readonly #brokerId: number
  #next = 0n
  #end = -1n
  /** The claim under way, shared by all who wait for it. */
  #claiming: Promise<void> | undefined

  constructor(store: MetadataStore, brokerId: number) {
    this.#store = store
    this.#brokerId = brokerId
  }

  /** The next id. Rejects as the store does, or with ERR_PRODUCER_IDS_EXHAUSTED. */
  async allocate(): Promise<bigint> {
    while (this.#next > this.#end) {
      this.#claiming ??= this.#claim().finally(() => {
        this.#claiming = undefined
      })
      await this.#claiming
    }
    return this.#next++
  }

  async #claim(): Promise<void> {
    for (;;) {
      const node = await this.#store.find(PRODUCER_ID_BLOCK_PATH)
      const data = node?.data ?? null
      const last = data === null ? undefined : decode(data)
      const block = blockAfter(last, this.#brokerId)
      if (await this.#write(block, node?.stat.version)) {
        this.#next = block.start
        this.#end = block.end
        return
      }
    }
  }

  /** False when another broker was quicker. */
  async #write(block: ProducerIdBlock, version = ANY_VERSION): Promise<boolean> {
    const data = encodeProducerIdBlock(block)
    try {
      if (version === ANY_VERSION) await this.#store.create(PRODUCER_ID_BLOCK_PATH, data)
      else await this.#store.set(PRODUCER_ID_BLOCK_PATH, data, version)
      return true
    } catch (error) {
      if (isStoreError(error, 'ERR_BAD_VERSION') || isStoreError(error, 'ERR_NODE_EXISTS')) {
        return false
      }
      throw error
    }
  }
}

function decode(data: Buffer): ProducerIdBlock {
  return decodeProducerIdBlock(data, PRODUCER_ID_BLOCK_PATH)
}

function blockAfter(last: ProducerIdBlock | undefined, broker: number): ProducerIdBlock {
  const start = last === undefined ? 0n : last.end + 1n
  if (start > PRODUCER_ID_MAX - BLOCK_SIZE) {
    throw new BrokerError(
      'ERR_PRODUCER_IDS_EXHAUSTED',
      'All producer ids have been given out. No new idempotent producer can start in this cluster.',
    )
  }
  return { broker, start, end: start + BLOCK_SIZE - 1n }
}
