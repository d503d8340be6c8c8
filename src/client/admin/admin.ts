/** The admin client: one connection pool, and an area for each kind of thing that can be administered. */
import { Cluster } from '../cluster/cluster.js'
import type { ClientOptions } from '../options.js'
import { ClusterAdmin } from './cluster-admin.js'
import { ConfigAdmin } from './config-admin.js'
import { GroupAdmin } from './group-admin.js'
import { QuotaAdmin } from './quota-admin.js'
import { RecordAdmin } from './record-admin.js'
import { TopicAdmin } from './topic-admin.js'

/**
 * Administers a cluster. Calls try again by themselves what may pass, until `timeoutMs` of the call or
 * `defaultApiTimeoutMs`; those about several things reject with a PartialFailureError if some of them failed.
 *
 * @example
 * const admin = new Admin({ bootstrapServers: '127.0.0.1:9092' })
 * await admin.topics.create([{ name: 'orders', numPartitions: 3 }])
 * await admin.close()
 */
export class Admin {
  /** Topics and partitions: list, describe, create, delete, createPartitions. */
  readonly topics: TopicAdmin
  /** Settings of topics, brokers and groups: describe, alter. */
  readonly configs: ConfigAdmin
  /** Groups and their offsets: list, describe, delete, listOffsets, alterOffsets, deleteOffsets, removeMembers. */
  readonly groups: GroupAdmin
  /** Records and offsets of partitions: listOffsets, delete. */
  readonly records: RecordAdmin
  /** The cluster: describe, logDirs, electLeaders, features, updateFeatures. */
  readonly cluster: ClusterAdmin
  /** Quotas: describe, alter. */
  readonly quotas: QuotaAdmin
  readonly #cluster: Cluster

  /** Throws ERR_CLIENT_ADDRESS or ERR_CLIENT_CONFIG. Connects on first use. */
  constructor(options: ClientOptions) {
    this.#cluster = new Cluster(options)
    this.topics = new TopicAdmin(this.#cluster)
    this.configs = new ConfigAdmin(this.#cluster)
    this.groups = new GroupAdmin(this.#cluster)
    this.records = new RecordAdmin(this.#cluster)
    this.cluster = new ClusterAdmin(this.#cluster)
    this.quotas = new QuotaAdmin(this.#cluster)
  }

  /**
   * Closes the connections; calls that are under way reject.
   *
   * @example
   * await admin.close()
   */
  close(): Promise<void> {
    this.#cluster.close()
    return Promise.resolve()
  }
}
