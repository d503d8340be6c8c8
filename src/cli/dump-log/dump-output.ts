/**
 * Where the tool writes: the two streams, and a buffer that respects how fast standard output takes
 * lines.
 */
import { once } from 'node:events'
import type { Writable } from 'node:stream'

export interface DumpLogStreams {
  stdout: Writable
  stderr: Writable
}

export const PROCESS_STREAMS: DumpLogStreams = { stdout: process.stdout, stderr: process.stderr }

const FLUSH_CHARACTERS = 64 * 1024

/**
 * Gathers text, so that millions of short pieces become few writes, and waits while the reader is
 * slow.
 */
export class DumpOutput {
  readonly #streams: DumpLogStreams
  #pieces: string[] = []
  #characters = 0

  constructor(streams: DumpLogStreams) {
    this.#streams = streams
  }

  print(text: string): void {
    this.#pieces.push(text)
    this.#characters += text.length
  }

  println(text = ''): void {
    this.print(`${text}\n`)
  }

  /** One line of standard error, in order with what was printed before. */
  async error(text: string): Promise<void> {
    await this.flush()
    await writeTo(this.#streams.stderr, `${text}\n`)
  }

  /** To be awaited between records: writes only if enough has gathered. */
  async pace(): Promise<void> {
    if (this.#characters >= FLUSH_CHARACTERS) await this.flush()
  }

  async flush(): Promise<void> {
    if (this.#characters === 0) return
    const text = this.#pieces.join('')
    this.#pieces = []
    this.#characters = 0
    await writeTo(this.#streams.stdout, text)
  }
}

async function writeTo(stream: Writable, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, 'drain')
}
