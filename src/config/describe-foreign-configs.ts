/**
 * DescribeConfigs of what was set for brokers and is in no table: settings of one listener, and names that this broker
 * does not know. Those may be a plug-in's secrets, so their values are not shown (as in Kafka).
 */
import type { BrokerConfig } from './broker-config.js'
import { type BrokerConfigKey, brokerDefinition, isBrokerConfigKey } from './broker-definitions.js'
import {
  CONFIG_SOURCE,
  type ConfigEntry,
  type ConfigSynonym,
  type DescribeOptions,
  brokerSynonyms,
  configEntry,
  selected,
} from './describe-configs.js'

/** What AlterConfigs has set, by name: for one broker and for all. */
export interface DynamicTextLayers {
  readonly broker: ReadonlyMap<string, string>
  readonly clusterDefault: ReadonlyMap<string, string>
}

export function describeForeignConfigs(
  broker: BrokerConfig,
  layers: DynamicTextLayers,
  options: DescribeOptions,
): ConfigEntry[] {
  const names = new Set([...layers.broker.keys(), ...layers.clusterDefault.keys()])
  const foreign = [...names].filter(name => !isBrokerConfigKey(name))
  return selected(foreign, options).map(name => {
    const base = settingOfOneListener(name)
    return base === undefined
      ? unknown(name, dynamicSynonyms(name, layers, null), options)
      : ofOneListener(name, base, broker, dynamicSynonyms(name, layers, base), options)
  })
}

function ofOneListener(
  name: string,
  base: BrokerConfigKey,
  broker: BrokerConfig,
  dynamic: readonly ConfigSynonym[],
  options: DescribeOptions,
): ConfigEntry {
  const definition = brokerDefinition(base)
  const synonyms = [...dynamic, ...brokerSynonyms(base, broker)]
  const value = dynamic[0]?.value ?? null
  return configEntry(name, value, { definition, synonyms, readOnly: false }, options)
}

function unknown(
  name: string,
  synonyms: readonly ConfigSynonym[],
  { includeSynonyms }: DescribeOptions,
): ConfigEntry {
  return {
    name,
    value: null,
    readOnly: false,
    configSource: synonyms[0]?.source ?? CONFIG_SOURCE.DYNAMIC_BROKER_CONFIG,
    isSensitive: true,
    synonyms: includeSynonyms === true ? synonyms : [],
    configType: 0,
    documentation: null,
  }
}

function dynamicSynonyms(
  name: string,
  { broker, clusterDefault }: DynamicTextLayers,
  base: BrokerConfigKey | null,
): ConfigSynonym[] {
  const isSecret = base === null || brokerDefinition(base).type === 'password'
  const layers = [
    [broker, CONFIG_SOURCE.DYNAMIC_BROKER_CONFIG],
    [clusterDefault, CONFIG_SOURCE.DYNAMIC_DEFAULT_BROKER_CONFIG],
  ] as const
  return layers.flatMap(([texts, source]) => {
    const text = texts.get(name)
    return text === undefined ? [] : [{ name, value: isSecret ? null : text, source }]
  })
}

/** `listener.name.internal.max.connections` is `max.connections` of one listener. */
function settingOfOneListener(name: string): BrokerConfigKey | undefined {
  const key = /^listener\.name\.[^.]+\.(.+)$/.exec(name)?.[1]
  return key !== undefined && isBrokerConfigKey(key) ? key : undefined
}
