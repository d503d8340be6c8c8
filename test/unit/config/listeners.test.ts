/** Protects: which addresses a broker opens and advertises, and that it never opens itself by accident. */
import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { resolveListeners, type ListenerSettings } from '../../../src/config/listener-rules.js'
import {
  formatListener,
  isAllInterfaces,
  isLoopback,
  parseListeners,
} from '../../../src/config/listeners.js'

const DEFAULT_MAP = ['PLAINTEXT:PLAINTEXT', 'SSL:SSL', 'SASL_SSL:SASL_SSL']

function resolve(listeners: string, more: Partial<ListenerSettings> = {}) {
  return resolveListeners({
    listeners: listeners.split(','),
    advertisedListeners: null,
    protocolMap: DEFAULT_MAP,
    controllerListenerNames: [],
    interBrokerListenerName: null,
    insecureAllowAnonymous: false,
    ...more,
  })
}

function reasons(result: ReturnType<typeof resolve>): string[] {
  return Array.isArray(result) ? result.map(({ key, reason }) => `${key}: ${reason}`) : []
}

test('hosts, IPv6 brackets, empty hosts and port 0', () => {
  const result = parseListeners(['plaintext://a.b:1', 'B://[::1]:0', 'C://:3'])
  expect(result).toEqual({
    ok: true,
    listeners: [
      { name: 'PLAINTEXT', host: 'a.b', port: 1 },
      { name: 'B', host: '::1', port: 0 },
      { name: 'C', host: '', port: 3 },
    ],
  })
  expect(formatListener({ name: 'B', host: '::1', port: 0 })).toBe('B://[::1]:0')
})

test.each([
  ['A://h', 'must have the form NAME://host:port'],
  ['h:9092', 'must have the form NAME://host:port'],
  ['A://h:x', 'must have the form NAME://host:port'],
  ['A://::1:9092', 'IPv6 address must stand in brackets'],
  ['A://[h]:1', 'must have the form|is not an IPv6'],
  ['A://h:65536', 'port 65536 does not exist'],
  ['A://h:1,A://h:2', 'name A is used twice'],
  ['A://h:1,B://g:1', 'port 1 is used twice'],
])('%s is refused', (list, reason) => {
  const result = parseListeners(list.split(','))
  expect(result).toMatchObject({ ok: false, reason: expect.stringMatching(reason) })
})

test('an IPv4 and an IPv6 address may share a port, and so may any two ports 0', () => {
  expect(parseListeners(['A://127.0.0.1:9092', 'B://[::1]:9092'])).toMatchObject({ ok: true })
  expect(parseListeners(['A://h:0', 'B://h:0'])).toMatchObject({ ok: true })
})

test.each(['127.0.0.1', '127.9.9.9', '::1', '0:0:0:0:0:0:0:1', 'localhost', '::ffff:127.0.0.1'])(
  '%s is loopback',
  host => expect(isLoopback(host)).toBe(true),
)

test.each(['', '0.0.0.0', '10.0.0.1', '::', '::2', 'example.org', '127.0.0.1.example.org', '1::1'])(
  '%j is not loopback',
  host => expect(isLoopback(host)).toBe(false),
)

test('all-interface addresses are recognised in every spelling', () => {
  expect(['', '0.0.0.0', '::', '0:0:0:0:0:0:0:0'].every(isAllInterfaces)).toBe(true)
  expect(isAllInterfaces('::1')).toBe(false)
})

test('without authentication only loopback is opened, unless the operator insists', () => {
  expect(reasons(resolve('PLAINTEXT://10.1.1.1:9092'))).toEqual([
    'listeners: other machines can reach this listener, and it asks for no authentication',
  ])
  expect(reasons(resolve('PLAINTEXT://:9092'))).toHaveLength(1)
  const insisted = resolve('PLAINTEXT://:9092', { insecureAllowAnonymous: true })
  expect(insisted).toMatchObject({
    listeners: [{ host: '', port: 9092, securityProtocol: 'PLAINTEXT' }],
    advertisedListeners: [{ host: hostname(), port: 9092 }],
  })
})

test('an address that means all interfaces is not advertised', () => {
  const result = resolve('PLAINTEXT://0.0.0.0:9092', { insecureAllowAnonymous: true })
  expect(reasons(result)).toEqual([
    'advertised.listeners: clients cannot connect to an address that means all interfaces',
  ])
})

test('SSL and SASL listeners are refused until they are built', () => {
  expect(reasons(resolve('SSL://127.0.0.1:9093'))[0]).toMatch(/SSL is not built yet/)
})

test('controller listeners are neither opened nor advertised', () => {
  const result = resolve('PLAINTEXT://127.0.0.1:9092,CONTROLLER://:9093', {
    controllerListenerNames: ['CONTROLLER'],
    advertisedListeners: ['PLAINTEXT://localhost:9092', 'CONTROLLER://localhost:9093'],
  })
  expect(result).toMatchObject({
    listeners: [{ name: 'PLAINTEXT' }],
    advertisedListeners: [{ name: 'PLAINTEXT', host: 'localhost' }],
  })
})

test('unmapped names, foreign advertised names and a missing inter-broker listener are refused', () => {
  expect(reasons(resolve('X://127.0.0.1:1'))[0]).toMatch(/no protocol for X/)
  const advertised = resolve('PLAINTEXT://127.0.0.1:1', {
    advertisedListeners: ['SSL://localhost:2'],
  })
  expect(reasons(advertised)[0]).toMatch(/no listener named SSL/)
  const inter = resolve('PLAINTEXT://127.0.0.1:1', { interBrokerListenerName: 'INTERNAL' })
  expect(reasons(inter)[0]).toMatch(/inter\.broker\.listener\.name: no advertised listener/)
})
