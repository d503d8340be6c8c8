/** console-producer and producer-perf-test as processes, against either target. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Cluster } from '../../src/client/cluster/cluster.js'
import { commandResult } from '../support/run-command.js'
import { ROOT } from '../tidy/tree.js'
import { createTopic, readPartition } from './read-topic.js'
import { type Target, startTarget } from './target.js'

const MILLRACE = `${ROOT}/dist/cli/main.js`

let target: Target
let topic: string
beforeAll(async () => {
  target = await startTarget()
})
afterAll(() => target.close())

async function newTopic(): Promise<string> {
  const cluster = new Cluster({ bootstrapServers: target.bootstrapServers })
  const name = target.topic('cli')
  await createTopic(cluster, name)
  cluster.close()
  return name
}

const millrace = (args: readonly string[], text = '') =>
  commandResult(process.execPath, [MILLRACE, ...args], { text })

const server = () => ['--bootstrap-server', target.bootstrapServers]

test.each([[], ['--sync'], ['--compression-codec']])(
  'lines become records, in order %s',
  async (...more) => {
    topic = await newTopic()
    const lines = Array.from({ length: 500 }, (_, i) => `line ${i}`)
    const result = await millrace(
      ['console-producer', ...server(), '--topic', topic, '--timeout', '5', ...more],
      `${lines.join('\n')}\n`,
    )
    expect(result).toEqual({ code: 0, stdout: '', stderr: '' })
    const records = await readPartition(target.bootstrapServers, topic, 0, lines.length)
    expect(records.map(r => r.value!.toString())).toEqual(lines)
  },
)

test('keys and headers; a bad line ends it with its number and exit code 1', async () => {
  topic = await newTopic()
  const args = [
    'console-producer',
    ...server(),
    '--topic',
    topic,
    '--reader-property',
    'parse.key=true',
  ]
  const more = ['--property', 'key.separator=:', '--reader-property', 'parse.headers=true']
  const names = ['--reader-property', 'headers.key.separator==']
  const result = await millrace([...args, ...more, ...names], 'h=1\tk:v\nnothing\n')
  expect(result.code).toBe(1)
  expect(result.stderr).toMatch(/line number 2/)
  const [record] = await readPartition(target.bootstrapServers, topic, 0, 1)
  expect([record!.key!.toString(), record!.value!.toString()]).toEqual(['k', 'v'])
  expect(record!.headers.map(h => [h.key, h.value!.toString()])).toEqual([['h', '1']])
})

test('producer-perf-test sends what it says and prints Kafka’s line', async () => {
  topic = await newTopic()
  const args = [
    'producer-perf-test',
    '--topic',
    topic,
    '--num-records',
    '2000',
    '--record-size',
    '100',
  ]
  const props = ['--producer-props', `bootstrap.servers=${target.bootstrapServers}`, 'linger.ms=1']
  const result = await millrace([...args, ...props, '--throughput', '-1', '--print-metrics'])
  expect(result.stderr).toBe('')
  expect(result.code).toBe(0)
  expect(result.stdout).toMatch(
    /^2000 records sent, [\d.]+ records\/sec \([\d.]+ MB\/sec\), [\d.]+ ms avg latency, .* 99\.9th\.$/m,
  )
  expect(result.stdout).toMatch(/^recordsAcked +: 2000$/m)
  expect(await readPartition(target.bootstrapServers, topic, 0, 2000)).toHaveLength(2000)
})

test('what is missing or not built is said, with exit code 2', async () => {
  const common = [
    'producer-perf-test',
    ...server(),
    '--topic',
    't',
    '--num-records',
    '1',
    '--throughput',
    '1',
  ]
  const transactional = await millrace([...common, '--record-size', '1', '--transactional-id', 'x'])
  expect(transactional).toMatchObject({ code: 2 })
  expect(transactional.stderr).toMatch(/Transactions are not built yet/)
  expect(await millrace(common)).toMatchObject({ code: 2 })
  const nearest = await millrace(['console-producer', '--topik', 't'])
  expect(nearest).toMatchObject({ code: 2 })
  expect(nearest.stderr).toMatch(/--topic/)
})
