/** `millrace configs --alter`. Prints what kafka-configs prints. */
import type { AdminClient } from '../../client/admin-client.js'
import { ErrorCode } from '../../protocol/error-codes.js'
import {
  IncrementalAlterConfigsRequest,
  IncrementalAlterConfigsResponse,
} from '../../protocol/messages/incremental-alter-configs.js'
import { UsageError } from '../failure.js'
import { parseNames, parsePairs, readPairs } from './config-pairs.js'
import { readConfigs, refusal } from './config-resource.js'
import type { ConfigsOptions } from './configs.js'
import { BROKER_LOGGERS, type Entity } from './entities.js'

const SET = 0
const DELETE = 1

const api = {
  request: IncrementalAlterConfigsRequest,
  response: IncrementalAlterConfigsResponse,
}

export async function alterConfigs(
  client: AdminClient,
  { kind, name }: Entity,
  options: ConfigsOptions,
): Promise<void> {
  const added = addedBy(options)
  const deleted = options.deleteConfig === undefined ? [] : parseNames(options.deleteConfig)
  const resourceName = name ?? ''
  if (kind === BROKER_LOGGERS) {
    const loggers = (await readConfigs(client, kind, resourceName)).map(logger => logger.name)
    const unknown = [...deleted, ...added.keys()].filter(logger => !loggers.includes(logger))
    if (unknown.length > 0) {
      throw new UsageError(`Invalid broker logger(s): ${unknown.join(',')}`)
    }
  }
  const configs = [
    ...[...added].map(([key, value]) => ({ name: key, configOperation: SET, value })),
    ...deleted.map(key => ({ name: key, configOperation: DELETE, value: null })),
  ]
  const { responses } = await client.request(api, {
    resources: [{ resourceType: kind.resourceType, resourceName, configs }],
    validateOnly: false,
  })
  const code = responses[0]?.errorCode ?? ErrorCode.UNKNOWN_SERVER_ERROR
  if (code !== ErrorCode.NONE) throw refusal(code, responses[0]?.errorMessage)
  console.log(
    resourceName === ''
      ? `Completed updating default config for ${kind.type} in the cluster.`
      : `Completed updating config for ${kind.type.slice(0, -1)} ${resourceName}.`,
  )
}

function addedBy({ addConfig, addConfigFile }: ConfigsOptions): Map<string, string> {
  if (addConfigFile !== undefined) return readPairs(addConfigFile)
  return addConfig === undefined ? new Map() : parsePairs(addConfig)
}
