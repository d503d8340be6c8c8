/**
 * The features of the cluster (KIP-584, KIP-1022): which versions this broker knows, and which one is in force. Stored
 * at the path and in the form of Kafka's ZooKeeper layout; a new cluster begins with the newest of each.
 */
import { ErrorCode } from '../protocol/error-codes.js'
import { ANY_VERSION, type MetadataStore, isStoreError } from './metadata-store.js'
import { decodeFeatures, encodeFeatures } from './topic-nodes.js'

const PATH = '/feature'

export interface SupportedFeature {
  readonly name: string
  readonly minVersion: number
  readonly maxVersion: number
}

export interface FinalizedFeature {
  readonly name: string
  readonly level: number
}

export interface FeatureUpdate {
  readonly feature: string
  /** 0: the feature is to be off. */
  readonly maxVersionLevel: number
  readonly upgradeType: number
}

export interface FeatureProblem {
  readonly errorCode: number
  readonly errorMessage: string
}

export const UPGRADE_TYPE = { upgrade: 1, safeDowngrade: 2, unsafeDowngrade: 3 } as const
const METADATA_VERSION = 'metadata.version'

/**
 * metadata.version numbers Kafka's metadata records; here it says that the cluster behaves as Kafka 4.4's do, for tools
 * that ask. What is 0 at most (transactions of version 2, share and streams groups) is not built.
 */
const SUPPORTED: readonly SupportedFeature[] = [
  { name: 'group.version', minVersion: 0, maxVersion: 1 },
  { name: METADATA_VERSION, minVersion: 7, maxVersion: 33 },
]

export class Features {
  readonly supported = SUPPORTED
  readonly #store: MetadataStore
  readonly #nodeId: number
  #levels: ReadonlyMap<string, number>
  #epoch: number

  private constructor(store: MetadataStore, nodeId: number, stored: Stored) {
    this.#store = store
    this.#nodeId = nodeId
    this.#levels = stored.levels
    this.#epoch = stored.epoch
  }

  static async open(store: MetadataStore, nodeId: number): Promise<Features> {
    const newest = new Map(SUPPORTED.map(({ name, maxVersion }) => [name, maxVersion]))
    await store.create(PATH, encodeFeatures(newest)).catch((error: unknown) => {
      if (!isStoreError(error, 'ERR_NODE_EXISTS')) throw error
    })
    const node = await store.find(PATH)
    const levels = decodeFeatures(node?.data ?? null, PATH)
    return new Features(store, nodeId, { levels, epoch: node?.stat.version ?? 0 })
  }

  /** Those in force; a feature of level 0 is off and left out. */
  finalized(): FinalizedFeature[] {
    return [...this.#levels]
      .filter(([, level]) => level > 0)
      .map(([name, level]) => ({ name, level }))
  }

  /** Raised by each change. */
  get epoch(): number {
    return this.#epoch
  }

  /** 0: off. */
  level(name: string): number {
    return this.#levels.get(name) ?? 0
  }

  /** All updates or none. Null: done, or possible with validateOnly. */
  async update(
    updates: readonly FeatureUpdate[],
    validateOnly: boolean,
  ): Promise<FeatureProblem | null> {
    for (const update of updates) {
      const why = this.#violation(update)
      if (why === undefined) continue
      return {
        errorCode: ErrorCode.INVALID_UPDATE_VERSION,
        errorMessage: `The update failed for all features since the following feature had an error: ${why}`,
      }
    }
    if (validateOnly || updates.length === 0) return null
    const levels = new Map(this.#levels)
    for (const { feature, maxVersionLevel } of updates) levels.set(feature, maxVersionLevel)
    this.#epoch = await this.#store.set(PATH, encodeFeatures(levels), ANY_VERSION)
    this.#levels = levels
    return null
  }

  #violation({ feature, maxVersionLevel: wanted, upgradeType }: FeatureUpdate): string | undefined {
    const start = `Invalid update version ${wanted} for feature ${feature}.`
    if (!Object.values<number>(UPGRADE_TYPE).includes(upgradeType)) {
      return `${start} The controller does not support the given upgrade type.`
    }
    const known = SUPPORTED.find(({ name }) => name === feature)
    if (wanted < 0) return `${start} A feature version cannot be less than 0.`
    if (known === undefined) {
      if (wanted === 0) return `${start} Feature ${feature} not found.`
      return `${start} Local controller ${this.#nodeId} does not support this feature.`
    }
    if (wanted > known.maxVersion || wanted < known.minVersion) {
      const range = `${known.minVersion}-${known.maxVersion}`
      return `${start} Local controller ${this.#nodeId} only supports versions ${range}`
    }
    const isDowngrade = wanted < this.level(feature)
    if (isDowngrade && upgradeType === UPGRADE_TYPE.upgrade) {
      return (
        `${start} Can't downgrade the version of this feature without setting the upgrade type to ` +
        'either safe or unsafe downgrade.'
      )
    }
    return isDowngrade && feature === METADATA_VERSION
      ? this.#noDowngrade(wanted, upgradeType)
      : undefined
  }

  #noDowngrade(wanted: number, upgradeType: number): string {
    const step = `Unsupported metadata.version downgrade from ${this.level(METADATA_VERSION)} to ${wanted}.`
    return upgradeType === UPGRADE_TYPE.safeDowngrade
      ? `${step} Refusing to perform the requested downgrade because it might delete metadata information.`
      : `${step} Unsafe metadata downgrade is not supported in this version.`
  }
}

interface Stored {
  readonly levels: ReadonlyMap<string, number>
  readonly epoch: number
}
