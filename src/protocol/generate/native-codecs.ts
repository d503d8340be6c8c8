/**
 * The C++ headers made from the schemas of Produce and Fetch: which, where, and with which
 * callbacks.
 */
import { FetchRequest, FetchResponse } from '../messages/fetch.js'
import { ProduceRequest, ProduceResponse } from '../messages/produce.js'
import { cppDecoder } from './cpp-decoder.js'
import { cppEncoder } from './cpp-encoder.js'
import { nativeFixtures } from './native-fixtures.js'

export interface GeneratedFile {
  /** From the root of the repository. */
  readonly path: string
  readonly content: string
}

export function nativeCodecs(): GeneratedFile[] {
  const folder = 'native/dataplane'
  return [
    { path: `${folder}/generated_codec_fixtures.h`, content: nativeFixtures() },
    {
      path: `${folder}/generated_produce_request.h`,
      content: cppDecoder({
        api: 'Produce',
        schema: ProduceRequest,
        streamed: {
          'ProduceRequest.topicData': 'OnTopic',
          'TopicProduceData.partitionData': 'OnPartition',
        },
        omit: [],
      }),
    },
    {
      path: `${folder}/generated_fetch_request.h`,
      content: cppDecoder({
        api: 'Fetch',
        schema: FetchRequest,
        streamed: {
          'FetchRequest.topics': 'OnTopic',
          'FetchTopic.partitions': 'OnPartition',
          'FetchRequest.forgottenTopicsData': 'OnForgottenTopic',
          'ForgottenTopic.partitions': 'OnForgottenPartition',
        },
        omit: ['FetchRequest.clusterId'],
      }),
    },
    {
      path: `${folder}/generated_produce_response.h`,
      content: cppEncoder({
        api: 'Produce',
        schema: ProduceResponse,
        streamed: {
          'ProduceResponse.responses': '',
          'TopicProduceResponse.partitionResponses': '',
        },
        omit: [],
      }),
    },
    {
      path: `${folder}/generated_fetch_response.h`,
      content: cppEncoder({
        api: 'Fetch',
        schema: FetchResponse,
        streamed: {
          'FetchResponse.responses': '',
          'FetchableTopicResponse.partitions': '',
          'PartitionData.records': '',
        },
        omit: ['PartitionData.snapshotId'],
      }),
    },
  ]
}
