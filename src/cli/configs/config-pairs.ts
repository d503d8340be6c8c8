/** The settings of --add-config, --add-config-file and --delete-config. Pure, but for reading the file. */
import { readFileSync } from 'node:fs'
import { BrokerError, messageOf } from '../../base/errors.js'
import { parseProperties } from '../../config/properties-file.js'
import { UsageError } from '../failure.js'

/** A comma or equals sign that no bracket encloses: the next bracket, if any, is an opening one. */
const OUTSIDE_BRACKETS = '(?=[^\\]]*(?:\\[|$))'
const COMMA = new RegExp(`,${OUTSIDE_BRACKETS}`)
const EQUALS = new RegExp(`\\s*=\\s*${OUTSIDE_BRACKETS}`)

/** `k1=v1,k2=[v1,v2]`; of a name given twice the last value counts. Throws a UsageError in Kafka's words. */
export function parsePairs(text: string): Map<string, string> {
  const items = text.split(COMMA)
  while (items.length > 1 && items.at(-1) === '') items.pop()
  const pairs = items.map(item => item.split(EQUALS))
  if (pairs.some(pair => pair.length !== 2)) {
    throw new UsageError(
      'Invalid entity config: all configs to be added must be in the format "key=val" or ' +
        ' "key=[val1,val2]" to group values which contain commas.',
    )
  }
  return checked(
    new Map(
      pairs.map(([name = '', value = '']) => [name.trim(), value.replace(/[[\]]/g, '').trim()]),
    ),
  )
}

/** Throws ERR_CONFIG_FILE if the file cannot be read. */
export function readPairs(file: string): Map<string, string> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new BrokerError(
      'ERR_CONFIG_FILE',
      `Cannot read the settings to add from ${file}: ${messageOf(error)}.`,
      { cause: error },
    )
  }
  return checked(new Map(parseProperties(text, file).map(({ key, value }) => [key, value])))
}

export function parseNames(text: string): string[] {
  return text.split(',').map(name => name.trim())
}

function checked(pairs: Map<string, string>): Map<string, string> {
  for (const name of pairs.keys()) {
    if (/^[a-zA-Z0-9._-]*$/.test(name)) continue
    throw new UsageError(`Invalid character found for config key: ${name}`)
  }
  return pairs
}
