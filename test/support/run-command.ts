/** Runs a program to its end and gives what it printed; fails with both its outputs when it does not end with 0. */
import { spawn } from 'node:child_process'
import { createReadStream, createWriteStream } from 'node:fs'

export interface CommandOptions {
  /** A file for its standard input. */
  input?: string
  /** Text for its standard input. */
  text?: string
  /** A file for its standard output; else it is returned. */
  output?: string
  env?: Record<string, string>
}

export interface CommandResult {
  code: number | null
  stdout: string
  stderr: string
}

/** Never fails; for tests of exit codes. */
export async function commandResult(
  program: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const child = spawn(program, args, { stdio: 'pipe', env: { ...process.env, ...options.env } })
  let stdout = ''
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', chunk => (stderr += chunk))
  if (options.output === undefined) {
    child.stdout.setEncoding('utf8').on('data', chunk => (stdout += chunk))
  } else {
    child.stdout.pipe(createWriteStream(options.output))
  }
  child.stdin.on('error', () => undefined) // The program may end before it has read everything.
  if (options.input === undefined) child.stdin.end(options.text ?? '')
  else createReadStream(options.input).pipe(child.stdin)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => resolve({ code, stdout, stderr }))
  })
}

export async function command(
  program: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<string> {
  const result = await commandResult(program, args, options)
  if (result.code !== 0) {
    throw new Error(
      `${program} ${args.join(' ')}: exit ${result.code}\n${result.stderr}\n${result.stdout.slice(-2000)}`,
    )
  }
  return result.stdout
}
