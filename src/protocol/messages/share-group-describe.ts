/** ShareGroupDescribe describes share groups (KIP-932). */
import { array, bool, int16, int32, string, struct, structOf, uuid } from '../schema/field.js'
import { ApiKey } from '../api-keys.js'
import { type Infer, defineRequest, defineResponse } from '../schema/message.js'

const head = { apiKey: ApiKey.ShareGroupDescribe, versions: [1, 1], flexibleSince: 0 } as const

export const ShareGroupDescribeRequest = defineRequest(head, {
  groupIds: array(string(), { about: 'The groups.' }),
  includeAuthorizedOperations: bool({
    about: 'Whether to return the operations the caller may do.',
  }),
})
export type ShareGroupDescribeRequest = Infer<typeof ShareGroupDescribeRequest>

const TopicPartitions = struct('TopicPartitions', {
  topicId: uuid({ about: 'Id of the topic.' }),
  topicName: string({ about: 'The topic.' }),
  partitions: array(int32(), { about: 'The partitions.' }),
})

const Assignment = struct('Assignment', {
  topicPartitions: array(TopicPartitions, { about: 'The partitions, by topic.' }),
})

const Member = struct('Member', {
  memberId: string({ about: 'Id of the member.' }),
  rackId: string({
    nullableSince: 1,
    default: null,
    about: 'Rack of the consumer; empty or null for none.',
  }),
  memberEpoch: int32({
    about: 'Epoch of the member; 0 joins, -1 leaves, -2 leaves as a static member.',
  }),
  clientId: string({ about: 'Client id of the member.' }),
  clientHost: string({ about: 'Host the member connects from.' }),
  subscribedTopicNames: array(string(), {
    about: 'Topics subscribed to by name; null if unchanged.',
  }),
  assignment: structOf(Assignment, { about: 'What is assigned to the member.' }),
})

const DescribedGroup = struct('DescribedGroup', {
  errorCode: int16({ about: 'Error of this entry, 0 if none.' }),
  errorMessage: string({
    nullableSince: 1,
    default: null,
    about: 'What went wrong in words, or null.',
  }),
  groupId: string({ about: 'The group.' }),
  groupState: string({ about: 'State of the group, by name.' }),
  groupEpoch: int32({ about: 'Epoch of the group.' }),
  assignmentEpoch: int32({ about: 'Epoch of the target assignment.' }),
  assignorName: string({ about: 'Name of the server-side assignor.' }),
  members: array(Member, { about: 'Members of the group.' }),
  authorizedOperations: int32({
    default: -2147483648,
    about: 'Bit field of the operations the caller may do; -2147483648 if not asked for.',
  }),
})

export const ShareGroupDescribeResponse = defineResponse(head, {
  throttleTimeMs: int32({
    about: 'How long a quota makes the client wait before its next request, in milliseconds.',
  }),
  groups: array(DescribedGroup, { about: 'The groups.' }),
})
export type ShareGroupDescribeResponse = Infer<typeof ShareGroupDescribeResponse>
