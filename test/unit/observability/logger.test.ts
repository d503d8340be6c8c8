/** Protects: secrets stay out of the log, foreign text cannot forge lines, and waiting lines keep their order. */
import { expect, test } from 'vitest'
import { createLogger, silentLogger, type LogLevel } from '../../../src/observability/logger.js'
import { formatLogLine } from '../../../src/observability/log-text.js'

function capture(level: LogLevel, format: 'json' | 'text') {
  const lines: string[] = []
  return { lines, logger: createLogger({ level, format, write: line => lines.push(line) }) }
}

test('lines below the level are not written, the others keep their order', async () => {
  const { lines, logger } = capture('warn', 'json')
  logger.info('no')
  logger.warn('first', { n: 1 })
  logger.error('second')
  await logger.flush()
  logger.fatal('third')
  expect(lines.map(line => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    'first',
    'second',
    'third',
  ])
  expect(JSON.parse(lines[0]!)).toMatchObject({ level: 40, n: 1 })
})

test('fields named like secrets are hidden at any depth, big values are readable', async () => {
  const { lines, logger } = capture('info', 'json')
  logger.child({ 'ssl.key.password': 'hunter2' }).info('x', {
    nested: { saslJaasConfig: 'hunter2', map: new Map([['accessToken', 'hunter2']]) },
    offset: 5n,
    data: Buffer.alloc(7),
    error: new TypeError('boom'),
  })
  await logger.flush()
  expect(lines[0]).not.toContain('hunter2')
  expect(JSON.parse(lines[0]!)).toMatchObject({
    'ssl.key.password': '[hidden]',
    offset: '5',
    data: '7 bytes',
    error: { type: 'TypeError', message: 'boom' },
  })
})

test('a cycle of objects does not hang the logger', async () => {
  const { lines, logger } = capture('info', 'json')
  const cycle: Record<string, unknown> = {}
  cycle['self'] = cycle
  logger.info('x', { cycle })
  await logger.flush()
  expect(lines).toHaveLength(1)
})

test('text is one line: a client id cannot break it or colour the terminal', async () => {
  const { lines, logger } = capture('info', 'text')
  logger.info('connected\nFAKE', { clientId: '\u001b[31mred\r\n\u2028x', host: 'a b' })
  await logger.flush()
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} INFO {2}connected\\u000aFAKE {2}clientId=/)
  expect(lines[0]!.slice(0, -1)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028]/)
  expect(lines[0]).toContain('host="a b"')
})

test('a line that is not JSON is passed on safely; silence writes nothing', async () => {
  expect(formatLogLine('plain\u0007\n')).toBe('plain\\u0007\n')
  silentLogger.fatal('nothing')
  await silentLogger.flush()
})
