/**
 * Whole messages: header versions, golden frames checked by hand, and what the rules on versions
 * refuse.
 */
import { describe, expect, expectTypeOf, test } from 'vitest'
import { ApiKey, apiName, isApiKey } from '../../../src/protocol/api-keys.js'
import { apis } from '../../../src/protocol/apis.js'
import {
  decodeMessage,
  decodeRequest,
  decodeRequestHeader,
  decodeResponse,
  encodeMessage,
  encodeRequest,
  encodeResponse,
} from '../../../src/protocol/codec.js'
import type { ApiVersionsRequest } from '../../../src/protocol/messages/api-versions.js'
import { ApiVersionsResponse } from '../../../src/protocol/messages/api-versions.js'
import { FetchRequest } from '../../../src/protocol/messages/fetch.js'
import { HeartbeatRequest, HeartbeatResponse } from '../../../src/protocol/messages/heartbeat.js'
import { MetadataRequest } from '../../../src/protocol/messages/metadata.js'
import type { ProduceResponse } from '../../../src/protocol/messages/produce.js'
import { ProduceRequest } from '../../../src/protocol/messages/produce.js'
import type { InferInput } from '../../../src/protocol/schema/message.js'
import type { Uuid } from '../../../src/base/uuid.js'

const flexibleSince = (key: number) =>
  apis.find(api => api.request.apiKey === key)?.request.flexibleSince ?? Infinity

function bytes(hex: string): Buffer {
  return Buffer.from(hex.replaceAll(/\s/g, ''), 'hex')
}

describe('golden frames, checked by hand', () => {
  test('Heartbeat v3 request: header v1, plain strings', () => {
    const body = { groupId: 'g', generationId: 5, memberId: 'm1' }
    const frame = encodeRequest(HeartbeatRequest, 3, { correlationId: 7, clientId: 'c' }, body)
    expect(frame).toEqual(bytes('000c 0003 00000007 0001 63  0001 67 00000005 0002 6d31 ffff'))
  })

  test('Heartbeat v4 request: header v2 keeps a plain clientId, the body is compact', () => {
    const body = { groupId: 'g', generationId: 5, memberId: 'm1', groupInstanceId: 'i' }
    const frame = encodeRequest(HeartbeatRequest, 4, { correlationId: 7, clientId: null }, body)
    expect(frame).toEqual(bytes('000c 0004 00000007 ffff 00  02 67 00000005 03 6d31 02 69 00'))
    const { header, bodyOffset } = decodeRequestHeader(frame, flexibleSince)
    expect(header).toEqual({ apiKey: 12, apiVersion: 4, correlationId: 7, clientId: null })
    expect(decodeRequest(HeartbeatRequest, 4, frame, bodyOffset)).toEqual(body)
  })

  test('Heartbeat responses: header v0 below, v1 from the flexible version on', () => {
    const body = { throttleTimeMs: 1, errorCode: 25 }
    expect(encodeResponse(HeartbeatResponse, 0, 7, body)).toEqual(bytes('00000007 0019'))
    expect(encodeResponse(HeartbeatResponse, 3, 7, body)).toEqual(bytes('00000007 00000001 0019'))
    const flexible = encodeResponse(HeartbeatResponse, 4, 7, body)
    expect(flexible).toEqual(bytes('00000007 00 00000001 0019 00'))
    expect(decodeResponse(HeartbeatResponse, 4, flexible)).toEqual({ correlationId: 7, body })
  })

  test('ApiVersions answers with header v0 in every version, with tagged features', () => {
    const frame = encodeResponse(ApiVersionsResponse, 4, 9, {
      errorCode: 0,
      apiKeys: [{ apiKey: 18, minVersion: 0, maxVersion: 4 }],
      throttleTimeMs: 0,
      supportedFeatures: [{ name: 'f', minVersion: 0, maxVersion: 1 }],
      finalizedFeaturesEpoch: 3n,
    })
    expect(frame).toEqual(
      bytes(`00000009  0000 02 0012 0000 0004 00 00000000
             02  00 08 02 02 66 0000 0001 00   01 08 0000000000000003`),
    )
  })

  test('a Produce v9 request carries records as they are', () => {
    const records = bytes('c0ffee')
    const topicData = [{ name: 't', partitionData: [{ index: 2, records }] }]
    const body = { transactionalId: null, acks: -1, timeoutMs: 1500, topicData }
    const frame = encodeMessage(ProduceRequest, 9, body)
    expect(frame).toEqual(bytes('00 ffff 000005dc 02 02 74 02 00000002 04 c0ffee 00 00 00'))
    expect(decodeMessage(ProduceRequest, 9, frame).topicData[0]?.partitionData[0]?.records).toEqual(
      records,
    )
  })
})

describe('versions', () => {
  test('a version outside the schema is refused', () => {
    expect(() =>
      encodeMessage(ProduceRequest, 2, { acks: 1, timeoutMs: 1, topicData: [] }),
    ).toThrow(/no version 2; versions 3 to 13/)
    expect(() => decodeMessage(ProduceRequest, 14, Buffer.alloc(0))).toThrow(/no version 14/)
  })

  test('absent fields read as their default', () => {
    const fetched = decodeMessage(
      FetchRequest,
      4,
      bytes('ffffffff 00000001 00000002 00000003 00 00000000'),
    )
    expect(fetched).toMatchObject({ sessionEpoch: -1, rackId: '', replicaState: { replicaId: -1 } })
  })

  test('a set field that the version cannot carry is refused unless it is ignorable', () => {
    const base = { groupId: 'g', generationId: 1, memberId: 'm' }
    const set = { ...base, groupInstanceId: 'i' }
    expect(() => encodeMessage(HeartbeatRequest, 2, set)).toThrow(/groupInstanceId is set/)
    const unset = { ...base, groupInstanceId: null }
    expect(() => encodeMessage(HeartbeatRequest, 2, unset)).not.toThrow()
    const body = { throttleTimeMs: 5, errorCode: 0 }
    expect(encodeMessage(HeartbeatResponse, 0, body)).toEqual(bytes('0000'))
  })

  test('null is refused where the version allows none', () => {
    expect(() => encodeMessage(MetadataRequest, 0, { topics: null })).toThrow(/topics is null/)
  })
})

describe('tables', () => {
  test('Produce is listed from 0 and the unstable InitProducerId v6 is hidden', () => {
    const advertised = (key: ApiKey) => apis.find(a => a.request.apiKey === key)!.request.advertised
    expect(advertised(ApiKey.Produce)).toEqual([0, 13])
    expect(advertised(ApiKey.InitProducerId)).toEqual([0, 5])
    expect(advertised(ApiKey.Fetch)).toEqual([4, 18])
  })

  test('keys and names belong together', () => {
    expect(apiName(ApiKey.DescribeTopicPartitions)).toBe('DescribeTopicPartitions')
    expect(isApiKey(94)).toBe(true)
    expect(isApiKey(95)).toBe(false)
    expect(apis.map(api => api.request.apiKey)).toEqual(
      apis.map(api => api.response.apiKey).sort((a, b) => a - b),
    )
  })

  test('every field says what it is for', () => {
    const silent = apis
      .flatMap(api => [api.request, api.response])
      .flatMap(schema => Object.entries(schema.fields).map(([name, f]) => ({ schema, name, f })))
      .filter(({ f }) => f.about === '')
      .map(({ schema, name }) => `${schema.name}.${name}`)
    expect(silent).toEqual([])
  })
})

test('types follow from the schema', () => {
  expectTypeOf<
    FetchRequest['topics'][number]['partitions'][number]['fetchOffset']
  >().toEqualTypeOf<bigint>()
  expectTypeOf<ProduceRequest['transactionalId']>().toEqualTypeOf<string | null>()
  expectTypeOf<ProduceRequest['topicData'][number]['topicId']>().toEqualTypeOf<Uuid>()
  expectTypeOf<ProduceResponse>().toExtend<InferInput<typeof ProduceResponse>>()
  expectTypeOf<{ clientSoftwareName: string }>().toExtend<InferInput<typeof ApiVersionsRequest>>()
  expectTypeOf<{ acks: number }>().not.toExtend<InferInput<typeof ProduceRequest>>()
})
