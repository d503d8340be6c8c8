/**
 * DeleteRecords v0-v2 (KIP-107): moves the log start of partitions, to an offset or (-1) to the high watermark; the
 * answer's low watermark is the log start that holds now. Offsets below it are no error. Topics that are compacted only
 * refuse with POLICY_VIOLATION.
 */
import { codeOf } from '../base/errors.js'
import { ErrorCode } from '../protocol/error-codes.js'
import type {
  DeleteRecordsRequest,
  DeleteRecordsResponse,
} from '../protocol/messages/delete-records.js'
import type { ApiHandler } from './api-handler.js'
import type { BrokerServices } from './services.js'

const TO_HIGH_WATERMARK = -1n
const NO_OFFSET = -1n

interface Outcome {
  readonly errorCode: number
  readonly lowWatermark: bigint
}

export function deleteRecordsHandler({
  configs,
  logs,
}: Pick<BrokerServices, 'configs' | 'logs'>): ApiHandler<
  typeof DeleteRecordsRequest,
  typeof DeleteRecordsResponse
> {
  const deleteBelow = async (
    topic: string,
    partition: number,
    offset: bigint,
  ): Promise<Outcome> => {
    const offsets = logs.offsets(topic, partition)
    if (offsets === undefined) return failed(logs.absence(topic, partition))
    const policies = configs.topic(topic)?.get('cleanup.policy') ?? []
    if (policies.includes('compact') && !policies.includes('delete')) {
      return failed(ErrorCode.POLICY_VIOLATION)
    }
    if (offset < TO_HIGH_WATERMARK || offset > offsets.highWatermark) {
      return failed(ErrorCode.OFFSET_OUT_OF_RANGE)
    }
    try {
      const lowWatermark = await logs.deleteRecords(topic, partition, offset)
      return { errorCode: ErrorCode.NONE, lowWatermark }
    } catch (error) {
      return failed(
        codeOf(error) === 'ERR_NOT_FOUND'
          ? ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
          : ErrorCode.KAFKA_STORAGE_ERROR,
      )
    }
  }
  return {
    handle: request => answer(request, deleteBelow),
    fail: (request, { errorCode }) => ({
      throttleTimeMs: 0,
      topics: request.topics.map(({ name, partitions }) => ({
        name,
        partitions: partitions.map(({ partitionIndex }) => ({
          partitionIndex,
          ...failed(errorCode),
        })),
      })),
    }),
  }
}

async function answer(
  { topics }: DeleteRecordsRequest,
  deleteBelow: (topic: string, partition: number, offset: bigint) => Promise<Outcome>,
) {
  const results = await Promise.all(
    topics.map(async ({ name, partitions }) => ({
      name,
      partitions: await Promise.all(
        partitions.map(async ({ partitionIndex, offset }) => ({
          partitionIndex,
          ...(await deleteBelow(name, partitionIndex, offset)),
        })),
      ),
    })),
  )
  return { throttleTimeMs: 0, topics: results }
}

function failed(errorCode: number): Outcome {
  return { errorCode, lowWatermark: NO_OFFSET }
}
