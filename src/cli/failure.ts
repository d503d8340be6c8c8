/**
 * How commands fail: one or a few sentences on stderr, no stack trace unless it is a bug. Exit code 1: it did not
 * work; 2: the command line was wrong.
 */
import { CommanderError } from 'commander'
import { BrokerError } from '../base/errors.js'

export const EXIT_FAILED = 1
export const EXIT_USAGE = 2

const HELP_CODES = new Set(['commander.help', 'commander.helpDisplayed', 'commander.version'])

/** A wrong command line that only the command itself can notice. */
export class UsageError extends BrokerError {
  constructor(message: string) {
    super('ERR_USAGE', message)
    this.name = 'UsageError'
  }
}

export function exitCodeOf(thrown: unknown): number {
  if (thrown instanceof CommanderError) return HELP_CODES.has(thrown.code) ? 0 : EXIT_USAGE
  return thrown instanceof UsageError ? EXIT_USAGE : EXIT_FAILED
}

/** Prints what went wrong. Commander has printed its own errors already. */
export function reportFailure(thrown: unknown): void {
  if (thrown instanceof CommanderError) return
  if (thrown instanceof BrokerError) {
    console.error(thrown.message)
    if (thrown instanceof UsageError) console.error('See `millrace --help`.')
    return
  }
  console.error('This is a bug in millrace; please report it with the lines below.')
  console.error(thrown)
}
