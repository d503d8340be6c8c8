/**
 * Keys that are not in the tables but are known: settings of Kafka's plug-ins (accepted), settings
 * that Kafka removed, and settings of ZooKeeper clusters (both refused, with the reason).
 */

/**
 * Prefixes whose keys belong to plug-ins or to one listener; accepted, and reported as without
 * effect.
 */
const PLUGIN_PREFIXES: readonly (readonly [prefix: string, owner: string])[] = [
  ['listener.name.', 'per-listener settings are not built yet'],
  ['metrics.context.', 'it is read by metrics reporters'],
  ['rlmm.config.', 'it is read by the remote log metadata manager'],
  ['rsm.config.', 'it is read by the remote storage manager'],
]

/** Internal settings of Kafka 4.4, which its own definitions do not list. */
const INTERNAL_KEYS: ReadonlySet<string> = new Set([
  'group.consumer.regex.refresh.interval.ms',
  'group.coordinator.append.max.buffer.size',
  'log.initial.task.delay.ms',
  'server.max.startup.time.ms',
  'unstable.api.versions.enable',
  'unstable.feature.versions.enable',
])

/** Settings of Kafka 3.9 and before, and what to do instead. */
const REMOVED_KEYS: Readonly<Record<string, string>> = {
  'broker.id.generation.enable': 'set node.id',
  'control.plane.listener.name': 'delete the line',
  'controlled.shutdown.max.retries': 'delete the line',
  'controlled.shutdown.retry.backoff.ms': 'delete the line',
  'delegation.token.master.key': 'use delegation.token.secret.key',
  'host.name': 'use listeners',
  'inter.broker.protocol.version': 'delete the line',
  'leader.imbalance.per.broker.percentage': 'delete the line',
  'log.message.downconversion.enable': 'delete the line',
  'log.message.format.version': 'delete the line',
  'log.message.timestamp.difference.max.ms':
    'use log.message.timestamp.before.max.ms and log.message.timestamp.after.max.ms',
  'offsets.commit.required.acks': 'delete the line',
  'password.encoder.cipher.algorithm': 'delete the line',
  'password.encoder.iterations': 'delete the line',
  'password.encoder.key.length': 'delete the line',
  'password.encoder.keyfactory.algorithm': 'delete the line',
  'password.encoder.old.secret': 'delete the line',
  'password.encoder.secret': 'delete the line',
  port: 'use listeners',
  'advertised.host.name': 'use advertised.listeners',
  'advertised.port': 'use advertised.listeners',
  'reserved.broker.max.id': 'set node.id',
}

/** Settings of Kafka's authorizers, which guard nothing here. */
const AUTHORIZER_KEYS: ReadonlySet<string> = new Set([
  'allow.everyone.if.no.acl.found',
  'super.users',
])

export type ForeignKey =
  | { readonly accepted: true; readonly effect: string }
  | { readonly accepted: false; readonly reason: string; readonly remedy: string }

/** What is known about a key outside the tables; undefined when nothing is. */
export function foreignKey(key: string): ForeignKey | undefined {
  const plugin = PLUGIN_PREFIXES.find(([prefix]) => key.startsWith(prefix))
  if (plugin !== undefined) return { accepted: true, effect: `no effect: ${plugin[1]}` }
  if (INTERNAL_KEYS.has(key)) {
    return { accepted: true, effect: 'no effect: it is internal to Apache Kafka' }
  }
  const instead = REMOVED_KEYS[key]
  if (instead !== undefined) {
    return { accepted: false, reason: 'this setting was removed in Kafka 4.0', remedy: instead }
  }
  if (key.startsWith('zookeeper.')) {
    return {
      accepted: false,
      reason:
        'clusters that rest on ZooKeeper are not built yet, and one broker needs no ZooKeeper',
      remedy: 'delete the line to run a single broker',
    }
  }
  if (AUTHORIZER_KEYS.has(key)) {
    return {
      accepted: false,
      reason: 'authorisation is not built yet, so the setting would protect nothing',
      remedy: 'delete the line',
    }
  }
  return undefined
}
