/** Members of consumer groups in processes of their own: clients that we did not write, and what they read. */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export type MemberClient = 'confluent' | 'kafka-python' | 'kcat' | 'kafkajs'

const PYTHON = fileURLToPath(new URL('../integration/clients/group_member.py', import.meta.url))
const KAFKAJS = fileURLToPath(new URL('../integration/clients/group-member.mjs', import.meta.url))
const FOR_EVER = '1000000000'

export interface MemberOptions {
  readonly servers: string
  readonly group: string
  readonly topic: string
}

export class GroupMember {
  /** Values in the order in which they were read. */
  readonly values: string[] = []
  /** The partitions of its newest assignment; null: it has none yet. */
  assigned: number[] | null = null
  errors = ''
  readonly #child: ChildProcess
  readonly #ended: Promise<void>

  constructor(client: MemberClient, { servers, group, topic }: MemberOptions) {
    const [program, args] = commandOf(client, [servers, group, topic])
    this.#child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    this.#ended = new Promise(resolve => this.#child.once('close', () => resolve()))
    let rest = ''
    this.#child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) this.#take(line)
    })
    let errorRest = ''
    this.#child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
      this.errors += chunk
      const lines = (errorRest + chunk).split('\n')
      errorRest = lines.pop() ?? ''
      for (const line of lines) this.#takeKcatNote(line)
    })
  }

  /** SIGTERM: it leaves the group. */
  async leave(): Promise<void> {
    this.#child.kill('SIGTERM')
    await this.#ended
  }

  /** kill -9: the group learns of it by the session timeout. */
  async crash(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#ended
  }

  #take(line: string): void {
    const words = line.split(' ')
    if (words[0] === 'assigned') this.assigned = words.slice(1).map(Number)
    else this.values.push(words[3] ?? '')
  }

  #takeKcatNote(line: string): void {
    const note = /^% Group .* rebalanced \(memberid [^)]*\): (assigned|revoked): ?(.*)$/.exec(line)
    if (note === null) return
    const partitions = [...note[2]!.matchAll(/\[(\d+)\]/g)].map(([, partition]) =>
      Number(partition),
    )
    this.assigned = note[1] === 'assigned' ? partitions : null
  }
}

function commandOf(client: MemberClient, args: string[]): [string, string[]] {
  const [servers, group, topic] = args as [string, string, string]
  switch (client) {
    case 'kcat': {
      const format = ['-f', '%t %p %o %s\n', '-u']
      const settings = ['auto.offset.reset=earliest', 'session.timeout.ms=6000'].flatMap(s => [
        '-X',
        s,
      ])
      return ['kcat', ['-b', servers, '-G', group, ...format, ...settings, topic]]
    }
    case 'kafkajs':
      return [process.execPath, [KAFKAJS, ...args]]
    default:
      return ['/usr/bin/python3', [PYTHON, client, ...args, FOR_EVER]]
  }
}
