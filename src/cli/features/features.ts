/** `millrace features describe`, `upgrade`, `downgrade` and `disable`: prints what kafka-features prints. */
import { BrokerError } from '../../base/errors.js'
import type { AdminClient } from '../../client/admin-client.js'
import { ErrorCode, errorMessage } from '../../protocol/error-codes.js'
import { ApiVersionsRequest, ApiVersionsResponse } from '../../protocol/messages/api-versions.js'
import {
  UpdateFeaturesRequest,
  UpdateFeaturesResponse,
} from '../../protocol/messages/update-features.js'
import { type ConnectionOptions, withAdmin } from '../admin-connection.js'
import { UsageError } from '../failure.js'
import { addOnce, levelsOf } from './feature-levels.js'
import {
  METADATA_VERSION,
  defaultLevels,
  metadataLevel,
  metadataVersionName,
  unknownMetadataVersion,
} from './release-versions.js'

export interface ChangeOptions extends ConnectionOptions {
  readonly feature: readonly string[]
  readonly metadata?: string
  readonly releaseVersion?: string
  readonly unsafe?: boolean
  readonly dryRun?: boolean
}

export type Change = 'upgrade' | 'downgrade' | 'disable'

const UPGRADE_TYPE = { upgrade: 1, safeDowngrade: 2, unsafeDowngrade: 3 } as const
const DONE = { upgrade: 'upgraded', downgrade: 'downgraded', disable: 'disabled' } as const

export async function describeFeatures(options: ConnectionOptions): Promise<void> {
  await withAdmin('features', options, async client => {
    for (const line of featureLines(await versionsOf(client))) console.log(line)
  })
}

/** One line for each feature that the broker supports, by name. */
export function featureLines(answer: FeatureAnswer): string[] {
  const { supportedFeatures, finalizedFeatures, finalizedFeaturesEpoch } = answer
  const inForce = new Map(
    finalizedFeatures.map(({ name, maxVersionLevel }) => [name, maxVersionLevel]),
  )
  const text = (name: string, level: number) =>
    name === METADATA_VERSION ? metadataVersionName(level) : String(level)
  return [...supportedFeatures]
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .map(({ name, minVersion, maxVersion }) =>
      [
        `Feature: ${name.padEnd(42)}`,
        `SupportedMinVersion: ${text(name, minVersion).padEnd(17)}`,
        `SupportedMaxVersion: ${text(name, maxVersion).padEnd(17)}`,
        `FinalizedVersionLevel: ${text(name, inForce.get(name) ?? 0).padEnd(17)}`,
        `Epoch: ${finalizedFeaturesEpoch < 0n ? '-' : finalizedFeaturesEpoch}`,
      ].join(''),
    )
}

interface FeatureAnswer {
  readonly supportedFeatures: readonly {
    readonly name: string
    readonly minVersion: number
    readonly maxVersion: number
  }[]
  readonly finalizedFeatures: readonly { readonly name: string; readonly maxVersionLevel: number }[]
  readonly finalizedFeaturesEpoch: bigint
}

export async function changeFeatures(change: Change, options: ChangeOptions): Promise<void> {
  const wanted = change === 'disable' ? disabledLevels(options) : wantedLevels(change, options)
  if (wanted.size === 0) throw new UsageError(`You must specify at least one feature to ${change}`)
  await withAdmin('features', options, async client => {
    await requireSensible(client, change, wanted)
    const failure = await update(client, change, wanted, options)
    const names = [...wanted.keys()].sort()
    for (const name of names)
      console.log(outcome(change, name, wanted.get(name)!, failure, options))
    if (failure !== null) {
      const count = wanted.size
      throw new BrokerError('ERR_FEATURES', `${count} out of ${count} operation(s) failed.`)
    }
  })
}

function disabledLevels({ feature }: ChangeOptions): Map<string, number> {
  const levels = new Map<string, number>()
  for (const name of feature) addOnce(levels, name, 0)
  return levels
}

function wantedLevels(change: Change, options: ChangeOptions): Map<string, number> {
  const { feature, metadata, releaseVersion } = options
  if (releaseVersion !== undefined) {
    if (metadata !== undefined || feature.length > 0) {
      throw new UsageError(
        'Can not specify `release-version` with other feature flags. ' +
          'Use either --metadata and --feature, or --release-version',
      )
    }
    const level = knownLevel(releaseVersion)
    const defaults = defaultLevels(level).filter(([, each]) => each > 0 || change === 'downgrade')
    return new Map([[METADATA_VERSION, level], ...defaults])
  }
  const levels = levelsOf(feature)
  if (metadata === undefined) return levels
  console.log(' `metadata` flag is deprecated and may be removed in a future release.')
  addOnce(levels, METADATA_VERSION, knownLevel(metadata))
  return levels
}

function knownLevel(name: string): number {
  const level = metadataLevel(name)
  if (level === undefined) throw new UsageError(unknownMetadataVersion(name))
  return level
}

/** What Kafka's client refuses before it asks. */
async function requireSensible(
  client: AdminClient,
  change: Change,
  wanted: ReadonlyMap<string, number>,
): Promise<void> {
  for (const level of wanted.values()) {
    if (change !== 'upgrade' || level >= 1) continue
    throw new BrokerError(
      'ERR_FEATURES',
      'The upgradeType flag should be set to SAFE_DOWNGRADE or UNSAFE_DOWNGRADE when the provided ' +
        `maxVersionLevel:${level} is < 1.`,
    )
  }
  if (client.serves(UpdateFeaturesRequest)) return
  throw new BrokerError('ERR_FEATURES', 'The broker does not serve UpdateFeatures.')
}

/** Null: done, or possible. Otherwise why nothing was changed: all updates are made or none. */
async function update(
  client: AdminClient,
  change: Change,
  wanted: ReadonlyMap<string, number>,
  { unsafe, dryRun }: ChangeOptions,
): Promise<string | null> {
  const downgrade = unsafe === true ? UPGRADE_TYPE.unsafeDowngrade : UPGRADE_TYPE.safeDowngrade
  const upgradeType = change === 'upgrade' ? UPGRADE_TYPE.upgrade : downgrade
  const api = { request: UpdateFeaturesRequest, response: UpdateFeaturesResponse }
  const answer = await client.request(api, {
    featureUpdates: [...wanted].map(([feature, maxVersionLevel]) => ({
      feature,
      maxVersionLevel,
      upgradeType,
    })),
    validateOnly: dryRun === true,
  })
  if (answer.errorCode === ErrorCode.NONE) return null
  return answer.errorMessage ?? errorMessage(answer.errorCode)
}

function outcome(
  change: Change,
  name: string,
  level: number,
  failure: string | null,
  { dryRun }: ChangeOptions,
): string {
  const to = change === 'disable' ? '' : ` to ${level}`
  if (failure === null) {
    return `${name} ${dryRun === true ? 'can be' : 'was'} ${DONE[change]}${to}.`
  }
  return `${dryRun === true ? 'Can not' : 'Could not'} ${change} ${name}${to}. ${failure}`
}

async function versionsOf(client: AdminClient): Promise<FeatureAnswer> {
  const api = { request: ApiVersionsRequest, response: ApiVersionsResponse }
  const software = { clientSoftwareName: 'millrace', clientSoftwareVersion: '0.1' }
  return client.request(api, software)
}
