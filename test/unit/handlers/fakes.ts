/** Stand-ins for the parts of a broker that handlers are given. */
import { type Uuid, ZERO_UUID } from '../../../src/base/uuid.js'
import type { ApiHandler, RequestContext } from '../../../src/handlers/api-handler.js'
import { loadBrokerConfig } from '../../../src/config/load-broker-config.js'
import { TopicConfigs } from '../../../src/config/topic-config.js'
import type {
  BrokerServices,
  ClusterView,
  ConfigsView,
  HandlerSettings,
  TopicLifecycle,
  TopicView,
  TopicsView,
} from '../../../src/handlers/services.js'
import type {
  CreatedTopic,
  NewPartitions,
  NewTopic,
  TopicProblem,
} from '../../../src/replication/new-topic.js'
import { UNLIMITED } from '../../../src/quotas/mutation-quota.js'
import {
  decodeRequest,
  decodeResponse,
  encodeRequest,
  encodeResponse,
} from '../../../src/protocol/codec.js'
import type {
  Infer,
  InferInput,
  RequestSchema,
  ResponseSchema,
} from '../../../src/protocol/schema/message.js'

export const TOPIC_ID = '7XEQhkAAQ0KxUgF6yDLPhw' as Uuid

export const cluster: ClusterView = {
  clusterId: 'uG1ZSKbiSpmJIvEVu7lP5A',
  nodeId: 1,
  controllerId: 1,
  brokers: listener =>
    listener === 'PLAINTEXT'
      ? [{ nodeId: 1, host: '127.0.0.1', port: 9092, rack: null, isFenced: false }]
      : [{ nodeId: 1, host: 'broker.example', port: 19092, rack: null, isFenced: false }],
}

export const settings: HandlerSettings = {
  autoCreateTopicsEnable: true,
  deleteTopicEnable: true,
  maxRequestPartitionSizeLimit: 2000,
  numPartitions: 1,
}

/** Nobody is limited. */
export const noQuotas = {
  clientQuotas: { entries: () => [], valuesOf: () => new Map(), alter: () => Promise.resolve() },
  mutationQuotas: { allowanceOf: () => UNLIMITED },
}

export function topicView(name: string, partitionCount: number, topicId = TOPIC_ID): TopicView {
  const partitions = Array.from({ length: partitionCount }, (_, partitionIndex) => ({
    partitionIndex,
    leaderId: 1,
    leaderEpoch: 3,
    replicas: [1],
    isr: [1],
    offlineReplicas: [],
  }))
  return { name, topicId, isInternal: name.startsWith('__'), partitions }
}

export function topicsView(...topics: TopicView[]): TopicsView {
  return {
    topic: name => topics.find(topic => topic.name === name),
    topicById: id => topics.find(topic => topic.topicId === id),
    topicNames: () => topics.map(({ name }) => name).sort(),
  }
}

/** A broker's settings as handlers see them; topic `t` exists, and nothing was set for anything. */
export function configsView(properties: Record<string, string> = {}): ConfigsView {
  const broker = loadBrokerConfig({ properties })
  const topic = new TopicConfigs(broker).of([['retention.ms', '5']])
  return {
    broker,
    topic: name => (name === 't' ? topic : undefined),
    entity: () => new Map(),
    entityNames: type => (type === 'groups' ? ['g'] : []),
    logLevel: () => 'INFO',
  }
}

/** Two features, one of them off. */
export const FEATURES: BrokerServices['features'] = {
  supported: [
    { name: 'group.version', minVersion: 0, maxVersion: 1 },
    { name: 'metadata.version', minVersion: 7, maxVersion: 33 },
  ],
  epoch: 4,
  finalized: () => [{ name: 'metadata.version', level: 33 }],
  update: updates =>
    Promise.resolve(
      updates.some(({ feature }) => feature === 'bad')
        ? { errorCode: 95, errorMessage: 'no such feature' }
        : null,
    ),
}

/** Remembers what it was asked to do. */
export class FakeLifecycle implements TopicLifecycle {
  readonly created: NewTopic[] = []
  readonly deleted: string[] = []
  readonly grown: string[] = []
  validate(topic: NewTopic): CreatedTopic {
    return {
      topicId: TOPIC_ID,
      numPartitions: topic.numPartitions,
      replicationFactor: 1,
      configs: [],
    }
  }
  create(topic: NewTopic): Promise<CreatedTopic> {
    this.created.push(topic)
    return Promise.resolve(this.validate(topic))
  }
  addPartitions(
    { name, count }: NewPartitions,
    validateOnly: boolean,
  ): Promise<TopicProblem | null> {
    if (name === 'unknown') return Promise.resolve({ errorCode: 3, errorMessage: 'no such topic' })
    if (!validateOnly) this.grown.push(`${name} ${count}`)
    return Promise.resolve(null)
  }
  delete(name: string): Promise<null> {
    this.deleted.push(name)
    return Promise.resolve(null)
  }
}

/** Runs a handler as the pipeline would: both messages pass through their encoding at the version. */
export async function ask<Q extends RequestSchema, S extends ResponseSchema>(
  schemas: readonly [Q, S],
  handler: ApiHandler<Q, S>,
  apiVersion: number,
  body: InferInput<Q>,
  listenerName = 'PLAINTEXT',
): Promise<Infer<S>> {
  const [request, response] = schemas
  const header = { correlationId: 1, clientId: 'test' }
  const frame = encodeRequest(request, apiVersion, header, body)
  const start = request.flexibleSince <= apiVersion ? 15 : 14
  const context: RequestContext = { apiVersion, ...header, listenerName, peer: '127.0.0.1:1' }
  const answer = await handler.handle(decodeRequest(request, apiVersion, frame, start), context)
  return decodeResponse(response, apiVersion, encodeResponse(response, apiVersion, 1, answer)).body
}

export { ZERO_UUID }
