#!/usr/bin/env node
/** The `millrace` command: parses the arguments, runs one command, and turns its outcome into an exit code. */
import { exitCodeOf, reportFailure } from './failure.js'
import { createProgram } from './program.js'

try {
  await createProgram().parseAsync(process.argv)
} catch (thrown) {
  reportFailure(thrown)
  process.exitCode = exitCodeOf(thrown)
}
