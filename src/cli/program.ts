/**
 * The commands of `millrace` and their options. Only declarations: what a command does is imported when it runs,
 * so that `--help` and `start` load no more than they need.
 */
import { Command } from 'commander'
import { version } from './version.js'

export function createProgram(): Command {
  const program = new Command('millrace')
    .description('A Kafka-compatible broker and its tools.')
    .version(version(), '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .showSuggestionAfterError()
    .showHelpAfterError('Run the command with --help for its options.')
    .exitOverride()
  addStart(program)
  addStop(program)
  addTopics(program)
  addTools(program)
  return program
}

function addStart(program: Command): void {
  program
    .command('start')
    .summary('start a broker')
    .description(
      'Starts a broker with the settings of a server.properties file. Without a file it listens on\n' +
        '127.0.0.1:9092 and keeps its data in ./data. SIGINT and SIGTERM stop it in order; a second\n' +
        'signal stops it at once.',
    )
    .argument('[server.properties]', "settings, with Kafka's names")
    .option('--override <key=value>', 'a setting that wins over the file; repeatable', append, [])
    .option('--daemon', 'go on in the background once the broker answers')
    .option(
      '--insecure-allow-anonymous',
      'let listeners without authentication accept connections from other machines',
    )
    .action(async (file: string | undefined, options) => {
      const { start } = await import('./start.js')
      await start(file, options)
    })
}

function addStop(program: Command): void {
  program
    .command('stop')
    .summary('stop a broker on this machine')
    .description('Stops the broker that runs with these settings, and returns when it has stopped.')
    .argument('[server.properties]', 'the settings it was started with')
    .option('--override <key=value>', 'an override it was started with; repeatable', append, [])
    .option('--timeout <seconds>', 'how long to wait', '60')
    .action(async (file: string | undefined, options) => {
      const { stop } = await import('./stop.js')
      await stop(file, options)
    })
}

function addTopics(program: Command): void {
  program
    .command('topics')
    .summary("create, list, describe and delete topics (Kafka's kafka-topics)")
    .description("Creates, lists, describes and deletes topics, with kafka-topics' options.")
    .option(
      '--bootstrap-server <host:port>',
      'broker to ask (required); several separated by commas',
    )
    .option('--command-config <file>', 'properties file of client settings')
    .option('--create', 'create a topic')
    .option('--list', 'list the topics')
    .option('--describe', 'describe topics and their partitions')
    .option('--delete', 'delete topics')
    .option('--topic <name>', 'the topic; a regular expression except with --create')
    .option('--topic-id <id>', 'the topic id to describe')
    .option('--partitions <count>', "partitions of a new topic; default: the broker's")
    .option('--replication-factor <count>', "replicas of a new topic; default: the broker's")
    .option('--replica-assignment <list>', 'brokers of each partition, as in 1:2,2:3')
    .option('--config <name=value>', 'a setting of a new topic; repeatable', append, [])
    .option('--if-not-exists', 'with --create: an existing topic is no failure')
    .option('--if-exists', 'with --describe or --delete: a missing topic is no failure')
    .option('--exclude-internal', 'leave out the internal topics')
    .option('--topics-with-overrides', 'with --describe: only topics that set something')
    .option('--unavailable-partitions', 'with --describe: only partitions without a leader')
    .option('--under-replicated-partitions', 'with --describe: only partitions short of replicas')
    .option('--partition-size-limit-per-response <count>', 'partitions to fetch at a time')
    .option('--json', 'print JSON')
    .action(async options => {
      const { topics } = await import('./topics/topics.js')
      await topics(options)
    })
}

/** A tool whose options live with it; they are only loaded when it is the command that runs. */
function addTool(program: Command, name: string, summary: string, load: () => Promise<Command>) {
  program
    .command(name)
    .summary(summary)
    .allowUnknownOption()
    .allowExcessArguments()
    .helpOption(false)
    .argument('[options...]')
    .action(async (_args: string[], _options: unknown, command: Command) => {
      const tool = (await load()).name(`millrace ${name}`).exitOverride()
      await tool.parseAsync(command.args, { from: 'user' })
    })
}

function addTools(program: Command): void {
  addTool(program, 'configs', "describe and alter settings (Kafka's kafka-configs)", async () =>
    (await import('./configs/command.js')).configsCommand(),
  )
  addTool(program, 'log-dirs', "show log dirs and their logs (Kafka's kafka-log-dirs)", async () =>
    (await import('./log-dirs/command.js')).logDirsCommand(),
  )
  addTool(
    program,
    'delete-records',
    "delete records before offsets (Kafka's kafka-delete-records)",
    async () => (await import('./delete-records/command.js')).deleteRecordsCommand(),
  )
  addTool(program, 'get-offsets', "print offsets (Kafka's kafka-get-offsets)", async () =>
    (await import('./get-offsets/command.js')).getOffsetsCommand(),
  )
  addTool(program, 'features', "show and change features (Kafka's kafka-features)", async () =>
    (await import('./features/command.js')).featuresCommand(),
  )
  addTool(program, 'cluster', "ask about a cluster (Kafka's kafka-cluster)", async () =>
    (await import('./cluster/command.js')).clusterCommand(),
  )
  addTool(
    program,
    'leader-election',
    "elect leaders of partitions (Kafka's kafka-leader-election)",
    async () => (await import('./leader-election/command.js')).leaderElectionCommand(),
  )
  addTool(
    program,
    'broker-api-versions',
    "show what brokers serve (Kafka's kafka-broker-api-versions)",
    async () => (await import('./broker-api-versions/command.js')).brokerApiVersionsCommand(),
  )
  addTool(
    program,
    'console-producer',
    "send lines as records (Kafka's kafka-console-producer)",
    async () => (await import('./produce/console-producer.js')).consoleProducerCommand(),
  )
  addTool(
    program,
    'producer-perf-test',
    "measure producing (Kafka's kafka-producer-perf-test)",
    async () => (await import('./produce/producer-perf-test.js')).producerPerfTestCommand(),
  )
  addTool(
    program,
    'dump-log',
    "print log, index and snapshot files (Kafka's kafka-dump-log)",
    async () => (await import('./dump-log/command.js')).dumpLogCommand(),
  )
}

function append(value: string, earlier: string[]): string[] {
  return [...earlier, value]
}
