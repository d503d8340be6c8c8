/**
 * `millrace topics`: checks the options as kafka-topics does and runs the one action among them. The actions lie
 * beside this file.
 */
import { AdminClient } from '../../client/admin-client.js'
import { UsageError } from '../failure.js'
import { createTopic } from './create.js'
import { deleteTopics } from './delete.js'
import { describeTopics } from './describe.js'
import { listTopics } from './list.js'
import { checkClientConfig } from './client-config.js'

export interface TopicsOptions {
  readonly bootstrapServer?: string
  readonly commandConfig?: string
  readonly create?: boolean
  readonly list?: boolean
  readonly describe?: boolean
  readonly delete?: boolean
  readonly topic?: string
  readonly topicId?: string
  readonly partitions?: string
  readonly replicationFactor?: string
  readonly replicaAssignment?: string
  readonly config: readonly string[]
  readonly ifNotExists?: boolean
  readonly ifExists?: boolean
  readonly excludeInternal?: boolean
  readonly topicsWithOverrides?: boolean
  readonly unavailablePartitions?: boolean
  readonly underReplicatedPartitions?: boolean
  readonly partitionSizeLimitPerResponse?: string
  readonly json?: boolean
}

type Action = (client: AdminClient, options: TopicsOptions) => Promise<void>

const REQUEST_TIMEOUT_MS = 60_000

/** Runs the command. Rejects with a UsageError or what the cluster refused. */
export async function topics(options: TopicsOptions): Promise<void> {
  const action = actionOf(options)
  if (options.bootstrapServer === undefined) {
    throw new UsageError('--bootstrap-server is missing; name a broker, as in 127.0.0.1:9092.')
  }
  if (options.commandConfig !== undefined) checkClientConfig(options.commandConfig)
  const client = await AdminClient.connect(options.bootstrapServer, {
    clientId: 'millrace-topics',
    timeoutMs: REQUEST_TIMEOUT_MS,
  })
  try {
    await action(client, options)
  } finally {
    client.close()
  }
}

function actionOf(options: TopicsOptions): Action {
  const given = (['create', 'list', 'describe', 'delete'] as const).filter(name => options[name])
  if (given.length !== 1) {
    throw new UsageError(
      'Command must include exactly one action: --list, --describe, --create or --delete.',
    )
  }
  const action = given[0]!
  if ((action === 'create' || action === 'delete') && options.topic === undefined) {
    throw new UsageError(`--${action} needs --topic; name the topic, as in --topic orders.`)
  }
  refuseForeignOptions(action, options)
  return { create: createTopic, list: listTopics, describe: describeTopics, delete: deleteTopics }[
    action
  ]
}

/** Options that belong to another action are refused, as kafka-topics does, so that none is silently ignored. */
function refuseForeignOptions(action: string, options: TopicsOptions): void {
  const belongsTo: Readonly<Record<string, readonly string[]>> = {
    partitions: ['create'],
    replicationFactor: ['create'],
    replicaAssignment: ['create'],
    ifNotExists: ['create'],
    topicId: ['describe'],
    topicsWithOverrides: ['describe'],
    unavailablePartitions: ['describe'],
    underReplicatedPartitions: ['describe'],
    ifExists: ['describe', 'delete'],
    excludeInternal: ['describe', 'list'],
  }
  for (const [option, actions] of Object.entries(belongsTo)) {
    if (options[option as keyof TopicsOptions] === undefined || actions.includes(action)) continue
    const name = option.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
    throw new UsageError(
      `--${name} cannot be used with --${action}, only with ${actions.map(a => `--${a}`).join(' or ')}.`,
    )
  }
  if (options.config.length > 0 && action !== 'create') {
    throw new UsageError('--config can only be used with --create.')
  }
}
