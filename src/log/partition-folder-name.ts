/** Kafka's names of the folders in a log dir, and what each one says. Pure. */

export type PartitionFolder =
  | {
      readonly kind: 'live' | 'future' | 'stray'
      readonly topic: string
      readonly partition: number
    }
  /** The topic may be cut short, so a deleted folder only says that it can go. */
  | { readonly kind: 'deleted' }

const NAME_LENGTH_MAX = 255
const LIVE = /^([a-zA-Z0-9._-]+)-([0-9]{1,9})$/
const SUFFIXED = /^([a-zA-Z0-9._-]+)-([0-9]{1,9})\.[0-9a-f]{32}-(future|stray)$/
const DELETED = /^[a-zA-Z0-9._-]+\.[0-9a-f]{32}-delete$/

/** Undefined for a name that Kafka would not give. */
export function parseFolderName(name: string): PartitionFolder | undefined {
  if (DELETED.test(name)) return { kind: 'deleted' }
  const suffixed = SUFFIXED.exec(name)
  if (suffixed !== null) {
    const kind = suffixed[3] === 'future' ? 'future' : 'stray'
    return { kind, topic: suffixed[1]!, partition: Number(suffixed[2]) }
  }
  const live = LIVE.exec(name)
  return live === null ? undefined : { kind: 'live', topic: live[1]!, partition: Number(live[2]) }
}

export function folderName(topic: string, partition: number): string {
  return `${topic}-${partition}`
}

/** `<topic>-<partition>.<hex>-delete`, the topic cut so that the name fits into 255 characters. */
export function deletedFolderName(topic: string, partition: number, hex: string): string {
  const tail = `-${partition}.${hex}-delete`
  return topic.slice(0, NAME_LENGTH_MAX - tail.length) + tail
}

/** `<topic>-<partition>.<hex>-stray`, for a folder that belongs to no known topic and is kept. */
export function strayFolderName(topic: string, partition: number, hex: string): string {
  const tail = `-${partition}.${hex}-stray`
  return topic.slice(0, NAME_LENGTH_MAX - tail.length) + tail
}
