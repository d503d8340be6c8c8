/**
 * A broker as its users run it: the built command line in a process of its own. Shared by the integration, crash and
 * peer suites, which import nothing from src/.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

export interface BrokerProcessOptions {
  /** Settings as in server.properties. */
  settings?: Record<string, string>
  /** The folder to use; a temporary one that `remove` deletes if absent. */
  folder?: string
  port?: number
}

export class BrokerProcess {
  readonly folder: string
  readonly port: number
  readonly logDir: string
  #settings: Record<string, string>
  #child: ChildProcess | undefined
  #output = ''

  private constructor(folder: string, port: number, settings: Record<string, string>) {
    this.folder = folder
    this.port = port
    this.logDir = join(folder, 'logs')
    this.#settings = settings
  }

  static async start(options: BrokerProcessOptions = {}): Promise<BrokerProcess> {
    if (!existsSync(MAIN))
      throw new Error('dist/cli/main.js is missing: run `npm run prepare` first')
    const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'millrace-test-'))
    const broker = new BrokerProcess(
      folder,
      options.port ?? (await freePort()),
      options.settings ?? {},
    )
    await broker.restart()
    return broker
  }

  get bootstrapServers(): string {
    return `127.0.0.1:${this.port}`
  }

  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error('the broker is not running')
    return this.#child.pid
  }

  /** Null while the process runs, or after a signal ended it. */
  get exitCode(): number | null {
    return this.#child?.exitCode ?? null
  }

  /** Everything the process printed so far. */
  get output(): string {
    return this.#output
  }

  /** Starts the process again after `stop` or `kill`; returns when it accepts connections. */
  async restart(): Promise<void> {
    const settings: Record<string, string> = {
      listeners: `PLAINTEXT://127.0.0.1:${this.port}`,
      'log.dirs': this.logDir,
      ...this.#settings,
    }
    const overrides = Object.entries(settings).flatMap(([k, v]) => ['--override', `${k}=${v}`])
    const child = spawn(process.execPath, [MAIN, 'start', ...overrides], {
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.on('data', chunk => (this.#output += chunk))
    child.stderr.on('data', chunk => (this.#output += chunk))
    this.#child = child
    let exited = false
    child.once('exit', () => (exited = true))
    for (let i = 0; i < 600; i++) {
      if (await accepts(this.port)) return
      if (exited) throw new Error(`the broker ended while starting:\n${this.#output}`)
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    throw new Error(`the broker does not listen after 30 s:\n${this.#output}`)
  }

  /** SIGTERM; returns the exit code. */
  stop(): Promise<number | null> {
    return this.#end('SIGTERM')
  }

  /** kill -9. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** Ends the process if it runs, and deletes its folder. */
  async remove(): Promise<void> {
    await this.#end('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child
    this.#child = undefined
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) {
      return child?.exitCode ?? null
    }
    const ended = new Promise<number | null>(resolve => child.once('exit', code => resolve(code)))
    child.kill(signal)
    return ended
  }
}

/**
 * A free port below the range from which the system takes ports for outgoing connections (32768 and up): a broker that is
 * down between a kill and its restart would lose one of those to any client of any other test.
 */
export async function freePort(): Promise<number> {
  for (let i = 0; i < 200; i++) {
    const port = randomInt(10_000, 32_000)
    if (await isFree(port)) return port
  }
  throw new Error('no free port between 10000 and 32000')
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

function accepts(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
