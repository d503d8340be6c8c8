/**
 * The settings of one broker, checked and typed. Made by load-broker-config.ts. What was given at start never changes;
 * what AlterConfigs sets lies above it and may change at any time, so read a setting when it is needed (KIP-226).
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

export type BrokerSettings = ReadonlyMap<BrokerConfigKey, ConfigValue>

/** Where a value comes from, strongest first. */
export const LAYERS = ['dynamic-broker', 'dynamic-default', 'static', 'default'] as const
export type Layer = (typeof LAYERS)[number]

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
  #dynamicBroker: BrokerSettings = new Map()
  #dynamicDefault: BrokerSettings = new Map()

  constructor(parts: BrokerConfigParts) {
    this.#explicit = parts.explicit
    this.nodeId = parts.nodeId
    this.listeners = parts.listeners
    this.advertisedListeners = parts.advertisedListeners
    this.withoutEffect = parts.withoutEffect
  }

  /** The value in force: of this broker, of the cluster's default, of the start, or Kafka's default. */
  get<K extends BrokerConfigKey>(key: K): BrokerConfigValue<K> {
    return this.value(key) as BrokerConfigValue<K>
  }

  /** As `get`, for keys that are only known at run time. */
  value(key: BrokerConfigKey): ConfigValue {
    for (const layer of LAYERS) {
      const value = this.valueIn(layer, key)
      if (value !== undefined) return value
    }
    return null
  }

  /** What one layer says; undefined: nothing. Every setting has a default. */
  valueIn(layer: Layer, key: BrokerConfigKey): ConfigValue | undefined {
    switch (layer) {
      case 'dynamic-broker':
        return this.#dynamicBroker.get(key)
      case 'dynamic-default':
        return this.#dynamicDefault.get(key)
      case 'static':
        return this.#explicit.get(key)?.value
      case 'default':
        return brokerDefinition(key).default
    }
  }

  /** Whether somebody set it, at start or later. */
  isExplicit(key: BrokerConfigKey): boolean {
    return this.#explicit.has(key) || this.#dynamicBroker.has(key) || this.#dynamicDefault.has(key)
  }

  /** Replaces what AlterConfigs has set for this broker and for all brokers. */
  setDynamic(broker: BrokerSettings, clusterDefault: BrokerSettings): void {
    this.#dynamicBroker = broker
    this.#dynamicDefault = clusterDefault
  }

  /** A copy with other dynamic settings, to see what they would lead to. */
  withDynamic(broker: BrokerSettings, clusterDefault: BrokerSettings): BrokerConfig {
    const copy = new BrokerConfig({
      explicit: this.#explicit,
      nodeId: this.nodeId,
      listeners: this.listeners,
      advertisedListeners: this.advertisedListeners,
      withoutEffect: this.withoutEffect,
    })
    copy.setDynamic(broker, clusterDefault)
    return copy
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
