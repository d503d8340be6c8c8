/**
 * The settings that `start` and `stop` share: those of a file, or without one a data folder under the current
 * directory. Both commands must find the same folders from the same arguments.
 */
import { resolve } from 'node:path'
import type { BrokerConfig } from '../config/broker-config.js'
import { loadBrokerConfig } from '../config/load-broker-config.js'

export interface SettingsOptions {
  readonly override: readonly string[]
  readonly insecureAllowAnonymous?: boolean
}

/** Throws ConfigError or ERR_CONFIG_UNREADABLE. */
export function settingsOf(file: string | undefined, options: SettingsOptions): BrokerConfig {
  const insecureAllowAnonymous = options.insecureAllowAnonymous === true
  const overrides = options.override
  if (file !== undefined) return loadBrokerConfig({ file, overrides, insecureAllowAnonymous })
  const namesLogDirs = overrides.some(text => /^\s*log\.dirs?\s*=/.test(text))
  const properties: Record<string, string> = namesLogDirs
    ? {}
    : { 'log.dirs': resolve('data/log'), 'metadata.dir': resolve('data/metadata') }
  return loadBrokerConfig({ properties, overrides, insecureAllowAnonymous })
}
