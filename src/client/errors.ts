/**
 * What the client rejects with. Broker answers keep Kafka's number and name; failures of the client itself carry
 * the code that Kafka's own clients give them (a lost connection is NETWORK_EXCEPTION), so that one rule decides
 * what to try again.
 */
import { BrokerError } from '../base/errors.js'
import { ErrorCode, errorMessage, errorName, isRetriable } from '../protocol/error-codes.js'

/**
 * An error of a broker, or of the way to it.
 *
 * @example
 * try {
 *   await producer.send({ topic: 'orders', value: 'a' })
 * } catch (error) {
 *   if (error instanceof KafkaError && error.retriable) later(error.errorName)
 * }
 */
export class KafkaError extends BrokerError {
  /** Kafka's number, such as 3. */
  readonly errorCode: number
  /** Kafka's name of it, such as `UNKNOWN_TOPIC_OR_PARTITION`. */
  readonly errorName: string
  /** True if the same call may succeed later, by Kafka's own table unless the call knows better. */
  readonly retriable: boolean

  constructor(
    errorCode: number,
    message = `${errorName(errorCode)}: ${errorMessage(errorCode)}`,
    options: ErrorOptions & { readonly code?: string; readonly retriable?: boolean } = {},
  ) {
    super(options.code ?? 'ERR_KAFKA', message, options)
    this.name = 'KafkaError'
    this.errorCode = errorCode
    this.errorName = errorName(errorCode)
    this.retriable = options.retriable ?? isRetriable(errorCode)
  }
}

/** True for what may succeed when it is tried again. */
export function isRetriableError(error: unknown): boolean {
  return error instanceof KafkaError && error.retriable
}

/** Kafka's code of an error; UNKNOWN_SERVER_ERROR for anything that has none. */
export function errorCodeOf(error: unknown): number {
  return error instanceof KafkaError ? error.errorCode : ErrorCode.UNKNOWN_SERVER_ERROR
}

/** Throws the KafkaError of a code other than NONE; `subject` says what was asked for. */
export function throwIfError(errorCode: number, subject: string, detail?: string | null): void {
  if (errorCode !== ErrorCode.NONE) throw brokerError(errorCode, subject, detail)
}

/** The KafkaError of an answer; `detail` is the broker's own sentence, where it gave one. */
export function brokerError(
  errorCode: number,
  subject: string,
  detail?: string | null,
): KafkaError {
  const why = detail === undefined || detail === null || detail === '' ? undefined : detail
  return new KafkaError(
    errorCode,
    `${subject}: ${errorName(errorCode)}. ${why ?? errorMessage(errorCode)}`,
  )
}

/** The same error for a call that gains nothing from trying again, whatever Kafka's table says of the code. */
export function finalError({ errorCode, message }: KafkaError): KafkaError {
  return new KafkaError(errorCode, message, { retriable: false })
}

/** The connection broke, or could not be made. */
export function networkError(code: string, message: string, cause?: unknown): KafkaError {
  return new KafkaError(ErrorCode.NETWORK_EXCEPTION, message, { code, cause })
}

/** No answer, or no success, within the time allowed. */
export function timeoutError(message: string, cause?: unknown): KafkaError {
  return new KafkaError(ErrorCode.REQUEST_TIMED_OUT, message, { code: 'ERR_CLIENT_TIMEOUT', cause })
}

/** Options or arguments that cannot be used. */
export function configError(message: string): BrokerError {
  return new BrokerError('ERR_CLIENT_CONFIG', message)
}

/** The object was closed before or while this was done. */
export function closedError(what: string): BrokerError {
  return new BrokerError('ERR_CLIENT_CLOSED', `The ${what} is closed. Create a new one.`)
}

/** What cannot be done in the state the object is in. */
export function stateError(message: string): BrokerError {
  return new BrokerError('ERR_CLIENT_STATE', message)
}

/** Whatever was thrown, as an Error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
