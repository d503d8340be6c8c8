/**
 * Finds and loads the addon; the only place that touches the .node file. Built by `npm install` into build/Release;
 * prebuilt binaries, once they ship, lie in prebuilds/.
 */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BrokerError, messageOf } from '../base/errors.js'
import type { NativeAddon } from './native-addon.js'

const INTERFACE_VERSION = 1

const REMEDY =
  'Run `npm run install` in the package folder (it needs g++, make and python3) and look at what it prints.'

let loaded: NativeAddon | undefined

/** The addon; loaded once a process. Throws ERR_ADDON_MISSING or ERR_ADDON_VERSION, each with its remedy. */
export function loadAddon(): NativeAddon {
  loaded ??= load()
  return loaded
}

function load(): NativeAddon {
  const root = packageRoot()
  const candidates = [
    join(root, 'build/Release/millrace.node'),
    join(root, 'build/Debug/millrace.node'),
    join(root, `prebuilds/linux-${process.arch}/millrace.node`),
  ]
  const path = candidates.find(existsSync)
  if (path === undefined) {
    throw new BrokerError('ERR_ADDON_MISSING', `The native addon is not built. ${REMEDY}`)
  }
  let addon: NativeAddon
  try {
    addon = createRequire(import.meta.url)(path) as NativeAddon
  } catch (error) {
    throw new BrokerError(
      'ERR_ADDON_MISSING',
      `The native addon at ${path} does not load: ${messageOf(error)}. ${REMEDY}`,
      { cause: error },
    )
  }
  if (addon.interfaceVersion !== INTERFACE_VERSION) {
    throw new BrokerError(
      'ERR_ADDON_VERSION',
      `The native addon at ${path} has interface version ${addon.interfaceVersion}, ` +
        `this code needs ${INTERFACE_VERSION}. ${REMEDY}`,
    )
  }
  return addon
}

/** The folder with package.json: two levels above both src/binding and dist/binding. */
function packageRoot(): string {
  return join(dirname(fileURLToPath(import.meta.url)), '../..')
}
