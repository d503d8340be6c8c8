/** Which levels of features belong to which release of Kafka: metadata.version and its names, and what came with it. */

/** The names of metadata.version from level 7 on. The last is not released and can only be looked up. */
const NAMES = [
  '3.3-IV3', '3.4-IV0', '3.5-IV0', '3.5-IV1', '3.5-IV2', '3.6-IV0', '3.6-IV1', '3.6-IV2', '3.7-IV0', '3.7-IV1',
  '3.7-IV2', '3.7-IV3', '3.7-IV4', '3.8-IV0', '3.9-IV0', '4.0-IV0', '4.0-IV1', '4.0-IV2', '4.0-IV3', '4.1-IV0',
  '4.1-IV1', '4.2-IV0', '4.2-IV1', '4.3-IV0', '4.4-IV0', '4.4-IV1', '4.4-IV2', '4.5-IV0',
] // prettier-ignore
const FIRST_LEVEL = 7
export const LATEST_LEVEL = 33

export const METADATA_VERSION = 'metadata.version'

/** Each feature with the metadata.version from which on each of its levels is the default. */
const DEFAULT_SINCE: readonly (readonly [feature: string, levels: readonly [number, number][]])[] = [
  ['kraft.version', [[1, 21]]],
  ['transaction.version', [[2, 24]]],
  ['group.version', [[1, 22]]],
  ['eligible.leader.replicas.version', [[1, 26]]],
  ['share.version', [[1, 28], [2, 31]]],
  ['streams.version', [[1, 29]]],
] // prettier-ignore

const HIGHEST: Readonly<Record<string, number>> = {
  'kraft.version': 1,
  'transaction.version': 2,
  'group.version': 1,
  'eligible.leader.replicas.version': 1,
  'share.version': 2,
  'streams.version': 1,
}

/** `4.0-IV1` for 23; the number itself where it has no name. */
export function metadataVersionName(level: number): string {
  return NAMES[level - FIRST_LEVEL] ?? String(level)
}

/** The level of `4.0-IV1`, or of `4.0`, the last one of that release; undefined: unknown. */
export function metadataLevel(name: string): number | undefined {
  const index = NAMES.findLastIndex(each => each === name || each.startsWith(`${name}-`))
  return index < 0 ? undefined : index + FIRST_LEVEL
}

export function unknownMetadataVersion(name: string): string {
  return `Unknown metadata.version '${name}'. Supported metadata.version are: ${NAMES.join(', ')}`
}

/** The levels that a release of this metadata.version begins with, in Kafka's order. */
export function defaultLevels(
  metadataVersion: number,
): (readonly [feature: string, level: number])[] {
  return DEFAULT_SINCE.map(([feature, levels]) => {
    const level = levels.findLast(([, since]) => metadataVersion >= since)?.[0] ?? 0
    return [feature, level] as const
  })
}

/** Undefined: Kafka has no such feature. */
export function highestLevel(feature: string): number | undefined {
  return HIGHEST[feature]
}

/** The level of metadata.version that a level of a feature asks for; undefined: none. */
export function neededMetadataVersion(feature: string, level: number): number | undefined {
  return feature === 'eligible.leader.replicas.version' && level === 1 ? 23 : undefined
}
