/**
 * Golden frames, as hex: what Apache Kafka 4.4.0 answered to our requests (frames/kafka-4.4.0, one
 * file an API) and what real clients sent it (frames/clients). Each is read to its last byte and
 * written again to the same bytes; a few are compared with what is known of the cluster that
 * answered.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { apis } from '../../src/protocol/apis.js'
import {
  decodeMessage,
  decodeRequestHeader,
  decodeResponse,
  encodeMessage,
  encodeResponse,
} from '../../src/protocol/codec.js'
import { ErrorCode } from '../../src/protocol/error-codes.js'
import { ApiVersionsResponse } from '../../src/protocol/messages/api-versions.js'
import { FetchResponse } from '../../src/protocol/messages/fetch.js'
import { MetadataResponse } from '../../src/protocol/messages/metadata.js'
import type { ResponseSchema } from '../../src/protocol/schema/message.js'

interface Frame {
  readonly api: string
  readonly version: number
  readonly request: string
  readonly response?: string
}

const folder = new URL('frames/', import.meta.url)

function framesIn(path: string, api?: string): Frame[] {
  const frames = JSON.parse(readFileSync(new URL(path, folder), 'utf8')) as Frame[]
  return api === undefined ? frames : frames.map(frame => ({ ...frame, api }))
}

const fromKafka = apis.flatMap(({ name }) => {
  const file = `${name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase()}.json`
  const known = readdirSync(new URL('kafka-4.4.0', folder)).includes(file)
  return known ? framesIn(`kafka-4.4.0/${file}`, name) : []
})
const fromClients = readdirSync(new URL('clients', folder)).flatMap(file =>
  framesIn(`clients/${file}`).map(frame => ({ ...frame, client: file.replace('.json', '') })),
)

function schemasOf(api: string) {
  return apis.find(({ name }) => name === api)!
}

function checkRequest({ api, version, request }: Frame): void {
  const { request: schema } = schemasOf(api)
  const frame = Buffer.from(request, 'hex')
  const { header, bodyOffset } = decodeRequestHeader(frame, () => schema.flexibleSince)
  expect(header).toMatchObject({ apiKey: schema.apiKey, apiVersion: version })
  const body = decodeMessage(schema, version, frame, bodyOffset)
  expect(encodeMessage(schema, version, body)).toEqual(frame.subarray(bodyOffset))
}

describe('Apache Kafka 4.4.0', () => {
  test.each(fromKafka)('answers $api v$version', frame => {
    checkRequest(frame)
    const { response: schema } = schemasOf(frame.api)
    const bytes = Buffer.from(frame.response!, 'hex')
    const { correlationId, body } = decodeResponse(schema, frame.version, bytes)
    expect(encodeResponse(schema, frame.version, correlationId, body)).toEqual(bytes)
  })
})

describe('clients', () => {
  test.each(fromClients)('$client sends $api v$version', frame => {
    checkRequest(frame)
  })
})

describe('what the frames say', () => {
  test('every version of Metadata names the topic, its id and the missing one', () => {
    for (const { version, body } of answers('Metadata', MetadataResponse)) {
      const [topic, missing] = body.topics
      expect(topic).toMatchObject({ name: 't7', errorCode: ErrorCode.NONE, isInternal: false })
      expect(topic?.partitions.map(p => p.partitionIndex).sort()).toEqual([0, 1])
      if (version >= 12) expect(missing?.errorCode).toBe(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    }
  })

  test('every version of Fetch returns the batch and refuses the offset out of range', () => {
    for (const { version, body } of answers('Fetch', FetchResponse)) {
      const [first, second] = body.responses[0]!.partitions
      expect(first).toMatchObject({ partitionIndex: 0, errorCode: 0, highWatermark: 22n })
      expect(first?.records?.readInt8(16)).toBe(2)
      expect(second?.errorCode).toBe(ErrorCode.OFFSET_OUT_OF_RANGE)
      expect(body.responses[0]!.topic).toBe(version < 13 ? 't7' : '')
    }
  })

  test('ApiVersions lists what kafka-apis says', () => {
    for (const { version, body } of answers('ApiVersions', ApiVersionsResponse)) {
      if (body.errorCode !== 0) continue
      const listed = new Map(body.apiKeys.map(entry => [entry.apiKey, entry]))
      for (const { request } of apis) {
        const entry = listed.get(request.apiKey)
        if (entry === undefined) continue
        expect([entry.minVersion, entry.maxVersion], `${request.name}, v${version}`).toEqual(
          request.advertised,
        )
      }
    }
  })
})

function answers<S extends ResponseSchema>(api: string, schema: S) {
  return fromKafka
    .filter(frame => frame.api === api)
    .map(({ version, response }) => ({
      version,
      body: decodeResponse(schema, version, Buffer.from(response!, 'hex')).body,
    }))
}
