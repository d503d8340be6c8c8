/**
 * DescribeCluster tells the cluster id, the brokers and the controller (KIP-700). v1 endpoint
 * types (KIP-919), v2 fenced brokers (KIP-1073).
 */
import { array, bool, int16, int32, int8, string, struct } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.DescribeCluster, versions: [0, 2], flexibleSince: 0 } as const

export const DescribeClusterRequest = defineRequest(head, {
  includeClusterAuthorizedOperations: bool({
    about: 'Whether to return the operations allowed on the cluster.',
  }),
  endpointType: int8({ since: 1, default: 1, about: '1 brokers, 2 controllers (KIP-919).' }),
  includeFencedBrokers: bool({ since: 2, about: 'Whether to list fenced brokers too (KIP-1073).' }),
})
export type DescribeClusterRequest = Infer<typeof DescribeClusterRequest>

const DescribeClusterBroker = struct('DescribeClusterBroker', {
  brokerId: int32({ about: 'The broker.' }),
  host: string({ about: 'Host name.' }),
  port: int32({ about: 'Port.' }),
  rack: string({ nullableSince: 0, default: null, about: 'Rack; null if none is set.' }),
  isFenced: bool({ since: 2, about: 'True if the broker is fenced.' }),
})

export const DescribeClusterResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  errorCode: int16({ about: 'Error of the whole request, 0 if none.' }),
  errorMessage: string({
    nullableSince: 0,
    default: null,
    about: 'What went wrong in words, or null.',
  }),
  endpointType: int8({ since: 1, default: 1, about: '1 brokers, 2 controllers (KIP-919).' }),
  clusterId: string({ about: 'The id of the cluster.' }),
  controllerId: int32({
    default: -1,
    about: 'Broker that is the controller; -1 if none is known.',
  }),
  brokers: array(DescribeClusterBroker, { about: 'Brokers of the cluster.' }),
  clusterAuthorizedOperations: int32({
    default: -2147483648,
    about: 'Bit field of the operations the caller may do on the cluster.',
  }),
})
export type DescribeClusterResponse = Infer<typeof DescribeClusterResponse>
