/** Protects the lines of `configs --describe`, what --add-config means, and which option combinations are refused. */
import { expect, test } from 'vitest'
import { configsCommand } from '../../../src/cli/configs/command.js'
import { parseNames, parsePairs } from '../../../src/cli/configs/config-pairs.js'
import { linesOf } from '../../../src/cli/configs/describe.js'
import { BROKERS, GROUPS, TOPICS, entityOf } from '../../../src/cli/configs/entities.js'

const RETENTION = {
  name: 'retention.ms',
  value: '5',
  readOnly: false,
  configSource: 1,
  isSensitive: false,
  synonyms: [
    { name: 'retention.ms', value: '5', source: 1 },
    { name: 'log.retention.ms', value: null, source: 4 },
  ],
  configType: 5,
  documentation: null,
}
const RETENTION_LINE =
  '  retention.ms=5 sensitive=false synonyms={DYNAMIC_TOPIC_CONFIG:retention.ms=5, ' +
  'STATIC_BROKER_CONFIG:log.retention.ms=null}'

test('lines are those of kafka-configs', () => {
  expect(linesOf(TOPICS, 't1', [RETENTION], {})).toEqual([
    'Dynamic configs for topic t1 are:',
    RETENTION_LINE,
  ])
  expect(linesOf(GROUPS, 'g', [], { all: true })).toEqual(['All configs for group g are:'])
  const all = 'Default configs for brokers in the cluster are:'
  expect(linesOf(BROKERS, '', [], {})).toEqual([all])
})

test.each([
  ['a=1,b=2', { a: '1', b: '2' }],
  ['a=[1,2], b = x', { a: '1,2', b: 'x' }],
  ['a=', { a: '' }],
  ['a=1,a=2,', { a: '2' }],
  ['m=[k=v]', { m: 'k=v' }],
])('--add-config %s', (text, pairs) => {
  expect(Object.fromEntries(parsePairs(text))).toEqual(pairs)
})

test.each(['a', 'a=1,b', 'a=b=c', ''])('--add-config %o is no list of pairs', text => {
  expect(() => parsePairs(text)).toThrow(/all configs to be added must be in the format/)
})

test('names of settings are checked before anything is sent', () => {
  expect(() => parsePairs('a b=1')).toThrow('Invalid character found for config key: a b')
  expect(parseNames('a, b')).toEqual(['a', 'b'])
})

test('entities are named by type and name or by a shortcut', () => {
  const none = { types: [], names: [], shortcuts: [] }
  expect(entityOf({ ...none, types: ['topics'], names: ['t'] })).toEqual({
    kind: TOPICS,
    name: 't',
  })
  expect(entityOf({ ...none, types: ['brokers'], names: [null] }).name).toBeNull()
  expect(entityOf({ ...none, types: ['brokers'] }).name).toBeUndefined()
  expect(entityOf({ ...none, shortcuts: [{ kind: GROUPS, name: 'g' }] }).kind).toBe(GROUPS)
})

const SERVER = ['--bootstrap-server', '127.0.0.1:1']
const DESCRIBE = [...SERVER, '--describe']
const ALTER = [...SERVER, '--alter']

test.each([
  [SERVER, /exactly one action: --describe, --alter/],
  [[...DESCRIBE, '--alter'], /exactly one action/],
  [['--describe', '--topic', 't'], /127\.0\.0\.1:9092/],
  [DESCRIBE, /At least one entity type must be specified/],
  [[...DESCRIBE, '--entity-name', 'x'], /At least one entity type must be specified/],
  [[...DESCRIBE, '--topic', 'a', '--group', 'b'], /Only 'users' and 'clients'/],
  [[...DESCRIBE, '--topic', 'a', '--entity-type', 'topics'], /Duplicate entity type/],
  [[...DESCRIBE, '--entity-type', 'foo'], /Invalid entity type foo/],
  [[...DESCRIBE, '--entity-type', 'topics', '--entity-default'], /--describe of topics/],
  [[...DESCRIBE, '--entity-type', 'broker-loggers'], /An entity name must be specified/],
  [[...DESCRIBE, '--broker', 'x'], /must be a valid integer broker id, but it is: x/],
  [[...DESCRIBE, '--topic', 't', '--add-config', 'a=b'], /can't be used with option "\[add-config/],
  [[...ALTER, '--topic', 't'], /At least one of --add-config/],
  [[...ALTER, '--entity-type', 'topics', '--add-config', 'a=b'], /with --alter of topics/],
  [[...ALTER, '--entity-type', 'brokers', '--add-config', 'a=b'], /entity-name or default entity/],
  [[...ALTER, '--topic', 't', '--add-config', 'a=b', '--add-config-file', 'f'], /Only one of/],
  [[...ALTER, '--topic', 't', '--delete-config', 'a', '--json'], /--json/],
])('refused before anything is sent: %o', async (args, message) => {
  const command = configsCommand().exitOverride()
  await expect(command.parseAsync(args, { from: 'user' })).rejects.toThrow(message)
})
