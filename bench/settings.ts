/** Command line of the bench; docs/benchmarks.md explains every option. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CACHE } from './root.js'

/** Brokers that the bench starts itself. */
export type OwnTarget = 'ours' | 'floor'

/** An Apache Kafka that runs already. */
export interface Peer {
  /** What it is called in the results. */
  readonly label: string
  readonly host: string
  readonly port: number
  readonly pid: number
}

export interface Settings {
  readonly rows: readonly string[] | undefined
  readonly targets: readonly OwnTarget[]
  readonly peers: readonly Peer[]
  readonly repeats: number
  /** Factor on the amounts of data; 1 is a run of some minutes. */
  readonly scale: number
  /** Tiny amounts, one repeat, no waiting: shows that the bench works, measures nothing. */
  readonly quick: boolean
  readonly pin: boolean
  readonly fill: boolean
  readonly idleSeconds: number
  readonly overrides: readonly string[]
  readonly directory: string
  readonly json: string | undefined
  /** Add to the rows that the JSON file holds already instead of replacing them. */
  readonly merge: boolean
}

const USAGE = `npm run bench -- [options]
  --rows 1,3,...       only these rows of the table; 13 is 13-lz4, 13-zstd and so on
  --targets a,b        ours, floor (default: both; ours is left out when dist is not built)
  --peer [LABEL=]HOST:PORT,PID
                       measure this Apache Kafka too; repeatable with labels of their own
  --repeats N          default 3
  --scale X            multiply the amounts of data
  --quick              tiny amounts: a check that the bench runs
  --no-pin             do not bind brokers to core 0 and the load to core 1
  --fill               first write and keep a file larger than the memory
  --idle-seconds N     length of the idle measurement, default 20
  --override k=v       a setting of our broker; repeatable
  --directory DIR      where brokers keep their data, default node_modules/.cache/millrace-bench/data
  --json FILE          default bench/results/<commit>.json
  --merge              keep what that file holds already: for runs in parts
`

export function parseSettings(argv: readonly string[]): Settings {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      rows: { type: 'string' },
      targets: { type: 'string', default: 'ours,floor' },
      peer: { type: 'string', multiple: true, default: [] },
      repeats: { type: 'string' },
      scale: { type: 'string', default: '1' },
      quick: { type: 'boolean', default: false },
      'no-pin': { type: 'boolean', default: false },
      fill: { type: 'boolean', default: false },
      'idle-seconds': { type: 'string' },
      override: { type: 'string', multiple: true, default: [] },
      directory: { type: 'string', default: join(CACHE, 'data') },
      json: { type: 'string' },
      merge: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(USAGE)
    process.exit(0)
  }
  const quick = values.quick
  return {
    rows: values.rows?.split(','),
    targets: values.targets.split(',').map(parseTarget),
    peers: parsePeers(values.peer),
    repeats: positive('--repeats', values.repeats ?? (quick ? '1' : '3')),
    scale: positive('--scale', values.scale),
    quick,
    pin: !values['no-pin'],
    fill: values.fill,
    idleSeconds: positive('--idle-seconds', values['idle-seconds'] ?? (quick ? '1' : '20')),
    overrides: values.override,
    directory: values.directory,
    json: values.json,
    merge: values.merge,
  }
}

function parseTarget(name: string): OwnTarget {
  if (name === 'ours' || name === 'floor') return name
  throw new Error(`--targets ${name}: known are ours and floor; Kafka is given by --peer.`)
}

function parsePeers(texts: readonly string[]): Peer[] {
  const peers = texts.map(parsePeer)
  const labels = new Set(['ours', 'floor', ...peers.map(peer => peer.label)])
  if (labels.size !== peers.length + 2) {
    throw new Error('Every --peer needs a label of its own: --peer kafka-1g=127.0.0.1:9092,1234.')
  }
  return peers
}

function parsePeer(text: string): Peer {
  const match = /^(?:([\w.-]+)=)?([\d.]+):(\d+),(\d+)$/.exec(text)
  if (match === null) {
    throw new Error(`--peer ${text}: expected an IPv4 address and process id, 127.0.0.1:9092,1234.`)
  }
  const [, label = 'kafka', host = '', port, pid] = match
  return { label, host, port: Number(port), pid: Number(pid) }
}

function positive(option: string, text: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new Error(`${option} ${text}: expected a number above 0.`)
  return value
}
