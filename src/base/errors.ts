/**
 * The errors of the control plane. Each carries a stable `code` for programs and a message for people
 * that says what happened, why, and what to do. Kafka's numeric codes live in protocol/error-codes.ts.
 */

/** An expected failure of the broker, its tools or its client. `code` starts with `ERR_` and never changes. */
export class BrokerError extends Error {
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BrokerError'
    this.code = code
  }
}

/** The message of anything that was thrown, without its stack. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** The `code` of a Node system error or BrokerError; undefined if there is none. */
export function codeOf(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined
  return typeof thrown.code === 'string' ? thrown.code : undefined
}
