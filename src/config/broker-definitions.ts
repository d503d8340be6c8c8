/** All broker settings in one table, and the types that follow from it. */
import type { Definition, ValueOf } from './definition.js'
import { brokerDefinitions as wholeBroker } from './definitions/broker.js'
import { cleanerDefinitions } from './definitions/cleaner.js'
import { groupsDefinitions } from './definitions/groups.js'
import { kraftDefinitions } from './definitions/kraft.js'
import { logDefinitions } from './definitions/log.js'
import { networkDefinitions } from './definitions/network.js'
import { ownDefinitions } from './definitions/own.js'
import { quotasDefinitions } from './definitions/quotas.js'
import { replicationDefinitions } from './definitions/replication.js'
import { saslDefinitions } from './definitions/sasl.js'
import { securityDefinitions } from './definitions/security.js'
import { shareGroupsDefinitions } from './definitions/share-groups.js'
import { sslDefinitions } from './definitions/ssl.js'
import { streamsGroupsDefinitions } from './definitions/streams-groups.js'
import { tieredStorageDefinitions } from './definitions/tiered-storage.js'
import { transactionsDefinitions } from './definitions/transactions.js'

/** The areas in the order of the docs. */
export const brokerDefinitionAreas = {
  'Millrace only': ownDefinitions,
  Broker: wholeBroker,
  'Listeners and connections': networkDefinitions,
  Logs: logDefinitions,
  'Log cleaner': cleanerDefinitions,
  Replication: replicationDefinitions,
  Groups: groupsDefinitions,
  Transactions: transactionsDefinitions,
  Quotas: quotasDefinitions,
  'Share groups': shareGroupsDefinitions,
  'Streams groups': streamsGroupsDefinitions,
  'Tiered storage': tieredStorageDefinitions,
  'KRaft quorum': kraftDefinitions,
  Security: securityDefinitions,
  SASL: saslDefinitions,
  TLS: sslDefinitions,
} as const

export const brokerDefinitions = {
  ...ownDefinitions,
  ...wholeBroker,
  ...networkDefinitions,
  ...logDefinitions,
  ...cleanerDefinitions,
  ...replicationDefinitions,
  ...groupsDefinitions,
  ...transactionsDefinitions,
  ...quotasDefinitions,
  ...shareGroupsDefinitions,
  ...streamsGroupsDefinitions,
  ...tieredStorageDefinitions,
  ...kraftDefinitions,
  ...securityDefinitions,
  ...saslDefinitions,
  ...sslDefinitions,
}

export type BrokerConfigKey = keyof typeof brokerDefinitions
export type BrokerConfigValue<K extends BrokerConfigKey> = ValueOf<(typeof brokerDefinitions)[K]>

export function isBrokerConfigKey(key: string): key is BrokerConfigKey {
  return Object.hasOwn(brokerDefinitions, key)
}

export function brokerDefinition(key: BrokerConfigKey): Definition {
  return brokerDefinitions[key]
}
