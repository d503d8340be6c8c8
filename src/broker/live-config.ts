/** Settings that change while the broker runs: loads what was stored, applies each change to logs and limits. */
import type { DataPlaneHandle, NativeAddon } from '../binding/native-addon.js'
import type { BrokerConfig } from '../config/broker-config.js'
import type { TopicConfigs } from '../config/topic-config.js'
import type { ConfigsView } from '../handlers/services.js'
import { ConfigAdmin, type RootLogger } from '../metadata/config-admin.js'
import type { EntityConfigs } from '../metadata/entity-configs.js'
import type { TopicRegistry } from '../metadata/topic-registry.js'
import type { LogLevel, Logger } from '../observability/logger.js'
import { logSettingsOf } from '../replication/log-settings.js'
import type { ReplicaManager } from '../replication/replica-manager.js'
import { connectionLimitsOf } from '../server/data-plane-options.js'

export interface LiveConfigParts {
  readonly addon: NativeAddon
  readonly dataPlane: DataPlaneHandle
  readonly broker: BrokerConfig
  readonly topicConfigs: TopicConfigs
  readonly registry: TopicRegistry
  readonly replicas: ReplicaManager
  readonly entities: EntityConfigs
  readonly log: Logger
}

export interface LiveConfig {
  readonly configs: ConfigsView
  readonly configChanges: ConfigAdmin
}

export function liveConfigOf(parts: LiveConfigParts): LiveConfig {
  const { addon, broker, dataPlane, entities, log, registry, replicas, topicConfigs } = parts
  const rootLogger = rootLoggerOf(log)
  const applyToTopic = (name: string): void => {
    const topic = registry.getByName(name)
    if (topic === undefined) return
    replicas.updateSettings(name, logSettingsOf(topicConfigs.of(topic.configs), broker))
  }
  const configChanges = new ConfigAdmin({
    broker,
    topicConfigs,
    registry,
    entities,
    rootLogger,
    onTopicChanged: applyToTopic,
    onBrokerChanged() {
      for (const { name } of registry.list()) applyToTopic(name)
      addon.setConnectionLimits(dataPlane, connectionLimitsOf(broker))
    },
    onProblem: message => log.warn(message),
  })
  const configs: ConfigsView = {
    broker,
    topic(name) {
      const topic = registry.getByName(name)
      return topic === undefined ? undefined : topicConfigs.of(topic.configs)
    },
    entity: (type, name) => entities.get(type, name),
    entityNames: type => entities.names(type),
    logLevel: () => rootLogger.level,
  }
  return { configs, configChanges }
}

/** Kafka names the levels in capitals, and silence OFF. */
function rootLoggerOf(log: Logger): RootLogger {
  return {
    get level() {
      return log.level === 'silent' ? 'OFF' : log.level.toUpperCase()
    },
    set level(level: string) {
      log.level = level.toLowerCase() as LogLevel
    },
  }
}
