/**
 * Range: of each topic, the members that want it get neighbouring partitions, the first ones one more. Topics with the
 * same number of partitions and subscribers go to the same members, so that joins by key stay on one member.
 */
import { type Assignor, emptyAssignment, inOrder, subscribersByTopic } from './assignor.js'

export const rangeAssignor: Assignor = {
  name: 'range',
  rebalanceProtocol: 'eager',
  assign(partitionsOf, members) {
    const assignment = emptyAssignment(members)
    for (const [topic, subscribers] of subscribersByTopic(partitionsOf, inOrder(members))) {
      const count = partitionsOf.get(topic)!
      const each = Math.floor(count / subscribers.length)
      const more = count % subscribers.length
      let partition = 0
      subscribers.forEach(({ memberId }, index) => {
        const end = partition + each + (index < more ? 1 : 0)
        for (; partition < end; partition++) assignment.get(memberId)!.push({ topic, partition })
      })
    }
    return assignment
  },
}
