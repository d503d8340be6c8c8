/** The uniform assignor, the default: as even as the subscriptions allow, and as sticky as that allows. */
import type { Assignor } from './assignor.js'
import { assignUniformlyAlike } from './uniform-homogeneous.js'
import { UnlikeAssignment } from './uniform-heterogeneous.js'

export const uniformAssignor: Assignor = {
  name: 'uniform',
  assign(input) {
    if (input.members.size === 0) return new Map()
    return input.isHomogeneous ? assignUniformlyAlike(input) : new UnlikeAssignment(input).build()
  },
}
