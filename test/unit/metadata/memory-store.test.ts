/** Protects: the store that tests and simulation use behaves as the real one. */
import { MemoryStore } from '../../../src/metadata/memory-store.js'
import { storeConformance } from './store-conformance.js'

storeConformance('MemoryStore', { open: () => Promise.resolve(new MemoryStore()) })
