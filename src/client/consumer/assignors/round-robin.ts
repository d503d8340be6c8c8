/** RoundRobin: all partitions in order, dealt in turn; a member that does not want the topic is passed over. */
import { type Assignor, emptyAssignment, inOrder, subscribersByTopic } from './assignor.js'

export const roundRobinAssignor: Assignor = {
  name: 'roundrobin',
  rebalanceProtocol: 'eager',
  assign(partitionsOf, members) {
    const assignment = emptyAssignment(members)
    const ring = inOrder(members)
    let turn = 0
    for (const [topic, subscribers] of subscribersByTopic(partitionsOf, ring)) {
      const wanting = new Set(subscribers)
      for (let partition = 0; partition < partitionsOf.get(topic)!; partition++) {
        while (!wanting.has(ring[turn % ring.length]!)) turn++
        assignment.get(ring[turn++ % ring.length]!.memberId)!.push({ topic, partition })
      }
    }
    return assignment
  },
}
