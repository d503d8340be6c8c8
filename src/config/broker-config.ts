/**
 * The settings of one broker, checked and typed. Made by load-broker-config.ts; immutable.
 * Explicit values remember their source, so that DescribeConfigs can tell them from defaults.
 */
import { resolve } from 'node:path'
import {
  brokerDefinition,
  brokerDefinitions,
  type BrokerConfigKey,
  type BrokerConfigValue,
} from './broker-definitions.js'
import type { ConfigValue } from './definition.js'
import type { EndPoint } from './listeners.js'
import type { Origin } from './config-problem.js'

/** A setting that was given, in a file or by an override. */
export interface ExplicitSetting {
  readonly value: ConfigValue
  readonly origin: Origin
}

/** A setting that was given although it changes nothing. */
export interface SettingWithoutEffect {
  readonly key: string
  readonly effect: string
}

export interface BrokerConfigParts {
  readonly explicit: ReadonlyMap<BrokerConfigKey, ExplicitSetting>
  readonly nodeId: number
  readonly listeners: readonly EndPoint[]
  readonly advertisedListeners: readonly EndPoint[]
  readonly withoutEffect: readonly SettingWithoutEffect[]
}

export class BrokerConfig {
  readonly nodeId: number
  /** What to open, without the listeners of a KRaft controller. */
  readonly listeners: readonly EndPoint[]
  /** What to tell clients; a port of 0 stands for the port the listener of the same name got. */
  readonly advertisedListeners: readonly EndPoint[]
  /** Settings that were given and change nothing; worth a line at start. */
  readonly withoutEffect: readonly SettingWithoutEffect[]
  readonly #explicit: ReadonlyMap<BrokerConfigKey, ExplicitSetting>

  constructor(parts: BrokerConfigParts) {
    this.#explicit = parts.explicit
    this.nodeId = parts.nodeId
    this.listeners = parts.listeners
    this.advertisedListeners = parts.advertisedListeners
    this.withoutEffect = parts.withoutEffect
  }

  /** The explicit value, or the default. */
  get<K extends BrokerConfigKey>(key: K): BrokerConfigValue<K> {
    return this.value(key) as BrokerConfigValue<K>
  }

  /** As `get`, for keys that are only known at run time. */
  value(key: BrokerConfigKey): ConfigValue {
    const explicit = this.#explicit.get(key)
    return explicit === undefined ? brokerDefinition(key).default : explicit.value
  }

  isExplicit(key: BrokerConfigKey): boolean {
    return this.#explicit.has(key)
  }

  get keys(): readonly BrokerConfigKey[] {
    return Object.keys(brokerDefinitions) as BrokerConfigKey[]
  }

  /** `log.dirs`, or `log.dir` when that is not set; never empty. */
  get logDirs(): readonly string[] {
    const dirs = this.get('log.dirs')
    return dirs !== null && dirs.length > 0 ? dirs : this.get('log.dir')
  }

  /**
   * Where the metadata store lives: beside the log dirs, since Kafka refuses foreign folders in
   * them.
   */
  get metadataDir(): string {
    return this.get('metadata.dir') ?? `${resolve(this.logDirs[0]!)}-metadata`
  }

  get rack(): string | null {
    return this.get('broker.rack')
  }
}
