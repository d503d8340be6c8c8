/** Runs the load generator, bound to the client's core, and reads what it prints. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Numbers by the names that bench/load gives them. */
export type Sample = Readonly<Record<string, number>>

export type LoadOptions = Readonly<Record<string, string | number>>

export class Generator {
  readonly #program: string
  readonly #core: number | undefined

  /** `core` undefined: wherever the scheduler puts it. */
  constructor(program: string, core: number | undefined) {
    this.#program = program
    this.#core = core
  }

  /** Rejects with the generator's own sentence when a single answer was wrong. */
  async run(subcommand: string, options: LoadOptions, command: string[] = []): Promise<Sample> {
    const args = [subcommand]
    for (const [name, value] of Object.entries(options)) args.push(`--${name}`, String(value))
    if (command.length > 0) args.push('--', ...command)
    const [file, ...rest] = bound(this.#core, [this.#program, ...args])
    const { stdout } = await promisify(execFile)(file ?? '', rest)
    return JSON.parse(stdout) as Sample
  }
}

/** The command that runs another one on a core only. */
export function bound(core: number | undefined, command: readonly string[]): string[] {
  return core === undefined ? [...command] : ['taskset', '-c', String(core), ...command]
}
