/** What classic groups do once they are loaded. */
import type { GroupShard } from '../group-shard.js'
import type { GroupRecord } from '../records/group-record.js'
import { ClassicGroup } from './classic-group.js'
import { expectHeartbeat } from './heartbeat.js'
import { prepareRebalance } from './rebalance.js'

/** Members have a whole session to be heard of again. Returns what is to be written. */
export function startSessions(shard: GroupShard): GroupRecord[] {
  const maxSize = shard.context.config.get('group.max.size')
  const records: GroupRecord[] = []
  for (const group of shard.groups.values()) {
    if (!(group instanceof ClassicGroup)) continue
    for (const member of group.members) expectHeartbeat(shard, group, member)
    if (group.memberCount > maxSize) records.push(...prepareRebalance(shard, group).records)
  }
  return records
}
