/**
 * What the names of a log's files tell: their offset, and the files that belong to the same
 * segment.
 */
import { basename, dirname, join } from 'node:path'
import { BrokerError } from '../../base/errors.js'

/** The digits before the first dot. Throws ERR_FILE_NAME if there are none. */
export function baseOffsetOf(path: string): bigint {
  const prefix = prefixOf(path)
  if (!/^-?\d+$/.test(prefix)) throw invalidFileName(path, '<base offset>.<suffix>')
  return BigInt(prefix)
}

/** The file beside `path` of the same segment, for example with the suffix `.log`. */
export function siblingOf(path: string, suffix: string): string {
  return join(dirname(path), prefixOf(path) + suffix)
}

function prefixOf(path: string): string {
  return basename(path).split('.', 1)[0]!
}

export function invalidFileName(path: string, expected: string): BrokerError {
  return new BrokerError(
    'ERR_FILE_NAME',
    `The file name of ${path} does not tell an offset; expected ${expected}. ` +
      'Copies of segment files must keep their names.',
  )
}
