/** Question: what does it cost to read and write the messages that the control plane sees most? */
import type { Bench } from 'tinybench'
import {
  encodeRequest,
  decodeRequest,
  encodeResponse,
  decodeResponse,
} from '../../src/protocol/codec.js'
import { MetadataRequest, MetadataResponse } from '../../src/protocol/messages/metadata.js'
import { ProduceRequest } from '../../src/protocol/messages/produce.js'

const METADATA_VERSION = 9
const PRODUCE_VERSION = 9

/** `topics` topics of ten partitions with three replicas each. */
function metadataOf(topics: number) {
  const replicas = [1, 2, 3]
  const partition = (partitionIndex: number) => ({
    errorCode: 0,
    partitionIndex,
    leaderId: 1,
    leaderEpoch: 5,
    replicaNodes: replicas,
    isrNodes: replicas,
    offlineReplicas: [],
  })
  const partitions = Array.from({ length: 10 }, (_, index) => partition(index))
  const broker = (nodeId: number) => ({ nodeId, host: 'broker.example', port: 9092 })
  return {
    brokers: replicas.map(broker),
    controllerId: 1,
    topics: Array.from({ length: topics }, (_, index) => ({
      errorCode: 0,
      name: `topic-${index}`,
      partitions,
    })),
  }
}

export function addCodecBenches(bench: Bench): void {
  const header = { correlationId: 1, clientId: 'bench' }
  const ask = { topics: [{ name: 'topic-1' }] }
  const request = encodeRequest(MetadataRequest, METADATA_VERSION, header, ask)
  const bodyAt = 2 + 2 + 4 + 2 + header.clientId.length + 1
  bench.add('Metadata request, 1 topic: encode', () => {
    encodeRequest(MetadataRequest, METADATA_VERSION, header, ask)
  })
  bench.add('Metadata request, 1 topic: decode', () => {
    decodeRequest(MetadataRequest, METADATA_VERSION, request, bodyAt)
  })

  const metadata = metadataOf(100)
  const response = encodeResponse(MetadataResponse, METADATA_VERSION, 1, metadata)
  bench.add('Metadata response, 100 topics: encode', () => {
    encodeResponse(MetadataResponse, METADATA_VERSION, 1, metadata)
  })
  bench.add('Metadata response, 100 topics: decode', () => {
    decodeResponse(MetadataResponse, METADATA_VERSION, response)
  })

  const records = Buffer.alloc(16 * 1024)
  const topicData = [{ name: 'topic-1', partitionData: [{ index: 0, records }] }]
  const produce = { acks: 1, timeoutMs: 30_000, topicData }
  const frame = encodeRequest(ProduceRequest, PRODUCE_VERSION, header, produce)
  bench.add('Produce request, 16 KiB: encode', () => {
    encodeRequest(ProduceRequest, PRODUCE_VERSION, header, produce)
  })
  bench.add('Produce request, 16 KiB: decode', () => {
    decodeRequest(ProduceRequest, PRODUCE_VERSION, frame, bodyAt)
  })
}
