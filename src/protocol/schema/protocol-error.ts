/**
 * The error of everything that cannot be read from or written to the wire. Callers close the
 * connection.
 */
import { BrokerError } from '../../base/errors.js'

export type ProtocolErrorCode =
  /** The bytes end before the value does. */
  | 'ERR_PROTOCOL_TRUNCATED'
  /** A length, count or varint that no valid message holds. */
  | 'ERR_PROTOCOL_LENGTH'
  /** A null where the schema allows none. */
  | 'ERR_PROTOCOL_NULL'
  /** The message would cost more memory than its size justifies. */
  | 'ERR_PROTOCOL_BUDGET'
  /** The schema has no such version, or the version cannot carry a field that was set. */
  | 'ERR_PROTOCOL_VERSION'
  /** A value that does not fit its field. */
  | 'ERR_PROTOCOL_VALUE'

export class ProtocolError extends BrokerError {
  declare readonly code: ProtocolErrorCode

  constructor(code: ProtocolErrorCode, message: string) {
    super(code, message)
    this.name = 'ProtocolError'
  }
}
