/**
 * Checks that need more than one setting, or that refuse what must not be silently ignored: a
 * setting that would protect something must stop the start as long as its protection is not built.
 */
import type { ExplicitSetting } from './broker-config.js'
import { brokerDefinition, type BrokerConfigKey } from './broker-definitions.js'
import type { ConfigProblem } from './config-problem.js'
import type { ConfigValue } from './definition.js'

type Explicit = ReadonlyMap<BrokerConfigKey, ExplicitSetting>

/** Settings whose value stops the start, and why ignoring them would do harm. */
const REFUSALS: readonly (readonly [BrokerConfigKey, string])[] = [
  ['authorizer.class.name', 'authorisation is not built yet, so everyone would be let in'],
  [
    'create.topic.policy.class.name',
    'Java classes cannot be loaded, so the policy would not apply',
  ],
  [
    'alter.config.policy.class.name',
    'Java classes cannot be loaded, so the policy would not apply',
  ],
  ['client.quota.callback.class', 'Java classes cannot be loaded, so its quotas would not apply'],
  ['config.providers', 'Java classes cannot be loaded, so placeholders would stay unresolved'],
  [
    'remote.log.storage.system.enable',
    'tiered storage is not built yet, so no segment would be copied',
  ],
]

/** All problems of the settings taken together. */
export function crossCheckBrokerConfig(explicit: Explicit): ConfigProblem[] {
  return [
    ...refusedSettings(explicit),
    ...unlimitedOrPositive(explicit),
    ...differingIds(explicit),
    ...emptyLogDirs(explicit),
    ...compactionLags(explicit),
  ]
}

function refusedSettings(explicit: Explicit): ConfigProblem[] {
  return REFUSALS.flatMap(([key, reason]) => {
    const setting = explicit.get(key)
    if (setting === undefined || isOff(setting.value)) return []
    return [{ key, origin: setting.origin, reason, remedy: 'delete the line' }]
  })
}

function isOff(value: ConfigValue): boolean {
  if (Array.isArray(value)) return value.length === 0
  return value === null || value === '' || value === false
}

/** Retention 0 is refused and every negative value but -1 too, as in Kafka. */
function unlimitedOrPositive(explicit: Explicit): ConfigProblem[] {
  const keys: BrokerConfigKey[] = [
    'log.retention.ms',
    'log.retention.minutes',
    'log.retention.hours',
  ]
  return keys.flatMap(key => {
    const setting = explicit.get(key)
    if (setting === undefined || Number(setting.value) === -1 || Number(setting.value) > 0)
      return []
    return [
      {
        key,
        origin: setting.origin,
        value: String(setting.value),
        reason: 'retention must be -1 (unlimited) or at least 1',
        remedy: 'choose -1 or a positive number',
      },
    ]
  })
}

function differingIds(explicit: Explicit): ConfigProblem[] {
  const node = explicit.get('node.id')
  const broker = explicit.get('broker.id')
  if (node === undefined || broker === undefined || node.value === broker.value) return []
  return [
    {
      key: 'broker.id',
      origin: broker.origin,
      value: String(broker.value),
      reason: `node.id is ${String(node.value)}, and both name the same id`,
      remedy: 'delete one of the two lines',
    },
  ]
}

function emptyLogDirs(explicit: Explicit): ConfigProblem[] {
  const keys: BrokerConfigKey[] = ['log.dirs', 'log.dir']
  return keys.flatMap(key => {
    const setting = explicit.get(key)
    const dirs = (setting?.value ?? brokerDefinition(key).default) as readonly string[] | null
    if (setting === undefined || (dirs !== null && dirs.length > 0 && !dirs.includes(''))) return []
    return [
      {
        key,
        origin: setting.origin,
        reason: 'the list of log dirs is empty or has an empty item',
        remedy: 'name at least one folder',
      },
    ]
  })
}

function compactionLags(explicit: Explicit): ConfigProblem[] {
  const least = explicit.get('log.cleaner.min.compaction.lag.ms')
  const most = explicit.get('log.cleaner.max.compaction.lag.ms')
  if (least === undefined || most === undefined || least.value! <= most.value!) return []
  return [
    {
      key: 'log.cleaner.min.compaction.lag.ms',
      origin: least.origin,
      value: String(least.value),
      reason: `it is above log.cleaner.max.compaction.lag.ms (${String(most.value)})`,
      remedy: 'lower the one or raise the other',
    },
  ]
}
