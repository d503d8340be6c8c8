/** Puts client quotas together: loads them, gives the data plane what it enforces, makes the meters of the rest. */
import type { Clock } from '../base/clock.js'
import type { DataPlaneHandle, EnforcedQuotas, NativeAddon } from '../binding/native-addon.js'
import type { BrokerConfig } from '../config/broker-config.js'
import type { MetadataStore } from '../metadata/metadata-store.js'
import { ClientQuotaRegistry } from '../quotas/client-quota-registry.js'
import type { ClientQuota, ClientQuotaKey } from '../quotas/client-quota.js'
import { TokenBucketQuotas } from '../quotas/mutation-quota.js'
import { addressOf } from '../quotas/quota-validation.js'
import { RequestQuota } from '../quotas/request-quota.js'

export interface ClientQuotaParts {
  readonly addon: NativeAddon
  readonly dataPlane: DataPlaneHandle
  readonly store: MetadataStore
  readonly broker: BrokerConfig
  readonly clock: Clock
}

export interface ClientQuotaServices {
  readonly clientQuotas: ClientQuotaRegistry
  readonly mutationQuotas: TokenBucketQuotas
  readonly requestQuota: RequestQuota
}

/** Resolves when the stored quotas are in force. */
export async function openClientQuotas(parts: ClientQuotaParts): Promise<ClientQuotaServices> {
  const { addon, broker, clock, dataPlane, store } = parts
  const clientQuotas = await ClientQuotaRegistry.open(store)
  let limited = new Set<string>()
  const apply = async (): Promise<void> => {
    const entries = clientQuotas.entries()
    limited = new Set(entries.flatMap(({ values }) => [...values.keys()]))
    addon.setQuotas(dataPlane, await enforcedOf(entries))
  }
  await apply()
  clientQuotas.onChange(apply)
  const common = (key: ClientQuotaKey) => ({
    limits: clientQuotas,
    isLimited: () => limited.has(key),
    clock,
  })
  return {
    clientQuotas,
    mutationQuotas: new TokenBucketQuotas({
      ...common('controller_mutation_rate'),
      windows: {
        num: broker.get('controller.quota.window.num'),
        sizeMs: broker.get('controller.quota.window.size.seconds') * 1000,
      },
    }),
    requestQuota: new RequestQuota({
      ...common('request_percentage'),
      windows: {
        num: broker.get('quota.window.num'),
        sizeMs: broker.get('quota.window.size.seconds') * 1000,
      },
    }),
  }
}

async function enforcedOf(entries: readonly ClientQuota[]): Promise<EnforcedQuotas> {
  const quotas: EnforcedQuotas = { byteRates: [], connectionRates: {}, connectionRateDefault: 0 }
  for (const { entity, values } of entries) {
    if (entity.ip === undefined) {
      const producerByteRate = values.get('producer_byte_rate') ?? 0
      const consumerByteRate = values.get('consumer_byte_rate') ?? 0
      if (producerByteRate === 0 && consumerByteRate === 0) continue
      const { clientId, user } = entity
      quotas.byteRates.push({ user, clientId, producerByteRate, consumerByteRate })
      continue
    }
    const rate = values.get('connection_creation_rate') ?? 0
    if (entity.ip === null) quotas.connectionRateDefault = rate
    const address = entity.ip === null ? undefined : await addressOf(entity.ip)
    if (address !== undefined) quotas.connectionRates[address] = rate
  }
  return quotas
}
