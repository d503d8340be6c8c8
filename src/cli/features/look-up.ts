/** `millrace features version-mapping` and `feature-dependencies`: tables of Kafka's releases; no broker is asked. */
import { BrokerError } from '../../base/errors.js'
import {
  LATEST_LEVEL,
  METADATA_VERSION,
  defaultLevels,
  highestLevel,
  metadataLevel,
  metadataVersionName,
  neededMetadataVersion,
  unknownMetadataVersion,
} from './release-versions.js'
import { levelsOf } from './feature-levels.js'

export function versionMapping({ releaseVersion }: { readonly releaseVersion?: string }): void {
  const level = releaseVersion === undefined ? LATEST_LEVEL : metadataLevel(releaseVersion)
  if (level === undefined) {
    throw new BrokerError('ERR_FEATURES', unknownMetadataVersion(releaseVersion!))
  }
  console.log(`${METADATA_VERSION}=${level} (${releaseVersion ?? metadataVersionName(level)})`)
  for (const [feature, featureLevel] of defaultLevels(level)) {
    console.log(`${feature}=${featureLevel}`)
  }
}

export function featureDependencies({ feature }: { readonly feature: readonly string[] }): void {
  for (const [name, level] of levelsOf(feature)) {
    requireKnown(name, level)
    const title =
      name === METADATA_VERSION
        ? `${name}=${level} (${metadataVersionName(level)})`
        : `${name}=${level}`
    const needed = neededMetadataVersion(name, level)
    if (needed === undefined) {
      console.log(`${title} has no dependencies.`)
      continue
    }
    console.log(`${title} requires:`)
    console.log(`    ${METADATA_VERSION}=${needed} (${metadataVersionName(needed)})`)
  }
}

function requireKnown(name: string, level: number): void {
  if (name === METADATA_VERSION) {
    if (metadataVersionName(level) !== String(level)) return
    throw new BrokerError('ERR_FEATURES', `Unknown metadata.version ${level}`)
  }
  const highest = highestLevel(name)
  if (highest === undefined) throw new BrokerError('ERR_FEATURES', `Unknown feature: ${name}`)
  if (level >= 0 && level <= highest) return
  throw new BrokerError('ERR_FEATURES', `No feature:${name} with feature level ${level}`)
}
