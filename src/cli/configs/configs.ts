/** Checks the options as kafka-configs does and runs the one action among them. */
import { AdminClient } from '../../client/admin-client.js'
import { UsageError } from '../failure.js'
import { checkClientConfig } from '../topics/client-config.js'
import { alterConfigs } from './alter.js'
import { describeConfigs } from './describe.js'
import { BROKERS, BROKER_LOGGERS, type Entity, type EntityOptions, entityOf } from './entities.js'

export interface ConfigsOptions {
  readonly bootstrapServer?: string
  readonly commandConfig?: string
  readonly describe?: boolean
  readonly alter?: boolean
  readonly addConfig?: string
  readonly addConfigFile?: string
  readonly deleteConfig?: string
  readonly all?: boolean
  readonly json?: boolean
  readonly entities: EntityOptions
}

const REQUEST_TIMEOUT_MS = 60_000

/** Runs the command. Rejects with a UsageError or what the cluster refused. */
export async function configs(options: ConfigsOptions): Promise<void> {
  if ((options.describe === true) === (options.alter === true)) {
    throw new UsageError('Command must include exactly one action: --describe, --alter')
  }
  if (options.bootstrapServer === undefined) {
    throw new UsageError('--bootstrap-server is missing; name a broker, as in 127.0.0.1:9092.')
  }
  const entity = entityOf(options.entities)
  if (options.alter === true) checkAlter(entity, options)
  else checkDescribe(entity, options)
  if (options.commandConfig !== undefined) checkClientConfig(options.commandConfig)
  const client = await AdminClient.connect(options.bootstrapServer, {
    clientId: 'millrace-configs',
    timeoutMs: REQUEST_TIMEOUT_MS,
  })
  try {
    await (options.alter === true ? alterConfigs : describeConfigs)(client, entity, options)
  } finally {
    client.close()
  }
}

function checkDescribe({ kind, name }: Entity, options: ConfigsOptions): void {
  for (const option of ['addConfig', 'addConfigFile', 'deleteConfig'] as const) {
    if (options[option] === undefined) continue
    const dashed = option.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
    throw new UsageError(`Option "[describe]" can't be used with option "[${dashed}]"`)
  }
  if (name === null && !kind.hasDefault) {
    throw new UsageError(`--entity-default must not be specified with --describe of ${kind.type}`)
  }
  if (name === undefined && kind === BROKER_LOGGERS) {
    throw new UsageError(`An entity name must be specified with --describe of ${kind.type}`)
  }
}

function checkAlter({ kind, name }: Entity, options: ConfigsOptions): void {
  const { addConfig, addConfigFile, deleteConfig } = options
  if (options.json === true) throw new UsageError('--json can only be used with --describe.')
  if (kind === BROKERS && name === undefined) {
    throw new UsageError(
      'An entity-name or default entity must be specified with --alter of users, clients, brokers or ips',
    )
  }
  if (kind !== BROKERS && (name ?? '') === '') {
    throw new UsageError(`An entity name must be specified with --alter of ${kind.type}`)
  }
  if (addConfig !== undefined && addConfigFile !== undefined) {
    throw new UsageError('Only one of --add-config or --add-config-file must be specified')
  }
  if (addConfig === undefined && addConfigFile === undefined && deleteConfig === undefined) {
    throw new UsageError(
      'At least one of --add-config, --add-config-file, or --delete-config must be specified with --alter',
    )
  }
}
