/** Who wants to know about which node. Events are delivered in the order they are given. */
import type { WatchEvent, WatchKind } from './metadata-store.js'

type Listener = (event: WatchEvent) => void

export class WatchRegistry {
  readonly #listeners: Readonly<Record<WatchKind, Map<string, Set<Listener>>>> = {
    data: new Map(),
    children: new Map(),
  }

  /** Adds a persistent watch; the returned function removes it. */
  add(path: string, kind: WatchKind, listener: Listener): () => void {
    const byPath = this.#listeners[kind]
    // A function of its own, so that the same listener can watch twice.
    const own: Listener = event => listener(event)
    const set = byPath.get(path) ?? new Set()
    set.add(own)
    byPath.set(path, set)
    return () => {
      set.delete(own)
      if (set.size === 0 && byPath.get(path) === set) byPath.delete(path)
    }
  }

  deliver(events: readonly WatchEvent[]): void {
    for (const event of events) {
      const kind: WatchKind = event.type === 'children-changed' ? 'children' : 'data'
      for (const listener of [...(this.#listeners[kind].get(event.path) ?? [])]) listener(event)
    }
  }

  clear(): void {
    this.#listeners.data.clear()
    this.#listeners.children.clear()
  }
}
