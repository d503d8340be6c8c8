/** Which partition of a coordinator's topic keeps a key: Java's hash of the text, made positive as Kafka does. */

const INT_MIN = -(2 ** 31)

export function partitionOf(key: string, partitionCount: number): number {
  let hash = 0
  for (let index = 0; index < key.length; index++) {
    hash = (Math.imul(hash, 31) + key.charCodeAt(index)) | 0
  }
  return hash === INT_MIN ? 0 : Math.abs(hash) % partitionCount
}
