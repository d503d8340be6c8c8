/**
 * Where quotas stand in the metadata store: the layout of Kafka's ZooKeeper clusters, /config/users/U,
 * /config/users/U/clients/C, /config/clients/C and /config/ips/I, with `<default>` as the name of a default.
 */
import { BrokerError } from '../base/errors.js'
import type { QuotaEntity } from './client-quota.js'

export const USERS_PATH = '/config/users'
export const CLIENTS_PATH = '/config/clients'
export const IPS_PATH = '/config/ips'

const DEFAULT = '<default>'
/** What the store takes as a path. */
const PATH_BYTES_MAX = 1900

/** Throws ERR_QUOTA_NAME_TOO_LONG. */
export function quotaPath({ user, clientId, ip }: QuotaEntity): string {
  const path =
    ip !== undefined
      ? `${IPS_PATH}/${encodeName(ip)}`
      : user === undefined
        ? `${CLIENTS_PATH}/${encodeName(clientId ?? null)}`
        : clientId === undefined
          ? `${USERS_PATH}/${encodeName(user)}`
          : `${userClientsPath(encodeName(user))}/${encodeName(clientId)}`
  if (path.length <= PATH_BYTES_MAX) return path
  throw new BrokerError(
    'ERR_QUOTA_NAME_TOO_LONG',
    `A name of ${path.length} characters is too long to have a quota of its own; use a shorter one.`,
  )
}

/** The folder of the clients of a user, whose name is encoded. */
export function userClientsPath(encodedUser: string): string {
  return `${USERS_PATH}/${encodedUser}/clients`
}

/** As Kafka writes names: percent-encoded but for letters, digits, and `.`, `-`, `_`. */
export function encodeName(name: string | null): string {
  if (name === null) return DEFAULT
  // Paths know neither of these two as a name.
  if (name === '.' || name === '..') return name.replaceAll('.', '%2E')
  return encodeURIComponent(name).replace(
    /[!'()*~]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

export function decodeName(encoded: string): string | null {
  return encoded === DEFAULT ? null : decodeURIComponent(encoded)
}
