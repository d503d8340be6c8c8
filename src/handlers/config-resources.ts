/** What AlterConfigs and IncrementalAlterConfigs share: one answer for each resource, in the order of the request. */
import type { ConfigProblem } from '../metadata/config-changes.js'
import { type ConfigResource, RESOURCE_TYPE } from '../metadata/config-admin.js'
import { ErrorCode } from '../protocol/error-codes.js'
import type { RequestFailure } from './api-handler.js'

const TWICE: ConfigProblem = {
  errorCode: ErrorCode.INVALID_REQUEST,
  errorMessage: 'Each resource must appear at most once.',
}

/** Changes each resource; one that is named twice is refused wherever it stands. */
export async function alterEach<R extends ConfigResource>(
  resources: readonly R[],
  types: readonly number[],
  alter: (resource: R) => Promise<ConfigProblem | null>,
) {
  const counts = new Map<string, number>()
  for (const resource of resources) {
    counts.set(keyOf(resource), (counts.get(keyOf(resource)) ?? 0) + 1)
  }
  const responses = await Promise.all(
    resources.map(async resource => {
      const problem =
        counts.get(keyOf(resource))! > 1
          ? TWICE
          : types.includes(resource.resourceType)
            ? await alter(resource)
            : unknownType(resource)
      return answered(resource, problem ?? DONE)
    }),
  )
  return { throttleTimeMs: 0, responses }
}

/** The types whose settings AlterConfigs replaces; levels of loggers are changed by the incremental API only. */
export const REPLACEABLE: readonly number[] = [
  RESOURCE_TYPE.topic,
  RESOURCE_TYPE.broker,
  RESOURCE_TYPE.clientMetrics,
  RESOURCE_TYPE.group,
]

export function failEach(resources: readonly ConfigResource[], failure: RequestFailure) {
  return { throttleTimeMs: 0, responses: resources.map(resource => answered(resource, failure)) }
}

const DONE: ConfigProblem = { errorCode: ErrorCode.NONE, errorMessage: null }

function answered({ resourceType, resourceName }: ConfigResource, problem: ConfigProblem) {
  return { ...problem, resourceType, resourceName }
}

function unknownType({ resourceType }: ConfigResource): ConfigProblem {
  const errorMessage = `Unknown resource type ${resourceType}`
  return { errorCode: ErrorCode.INVALID_REQUEST, errorMessage }
}

function keyOf({ resourceType, resourceName }: ConfigResource): string {
  return `${resourceType} ${resourceName}`
}
