/** Reads the settings of one resource over the protocol. */
import { BrokerError } from '../../base/errors.js'
import type { AdminClient } from '../../client/admin-client.js'
import { ErrorCode, errorMessage } from '../../protocol/error-codes.js'
import {
  DescribeConfigsRequest,
  DescribeConfigsResponse,
} from '../../protocol/messages/describe-configs.js'
import type { EntityKind } from './entities.js'

export type ConfigEntry = DescribeConfigsResponse['results'][number]['configs'][number]

const api = { request: DescribeConfigsRequest, response: DescribeConfigsResponse }

/** All settings, by name. */
export async function readConfigs(
  client: AdminClient,
  { resourceType }: EntityKind,
  resourceName: string,
): Promise<ConfigEntry[]> {
  const { results } = await client.request(api, {
    resources: [{ resourceType, resourceName, configurationKeys: null }],
    includeSynonyms: true,
  })
  const result = results[0]
  const code = result?.errorCode ?? ErrorCode.UNKNOWN_SERVER_ERROR
  if (code !== ErrorCode.NONE) throw refusal(code, result?.errorMessage)
  return result!.configs.toSorted((left, right) => (left.name < right.name ? -1 : 1))
}

/** Kafka gives an empty sentence where the code says it all. */
export function refusal(code: number, message: string | null | undefined): BrokerError {
  const text =
    message === null || message === undefined || message === '' ? errorMessage(code) : message
  return new BrokerError('ERR_CONFIGS', `Error while executing config command : ${text}`)
}
