/** `millrace topics --delete`: deletes the topics that match; silent on success, as kafka-topics. */
import { BrokerError } from '../../base/errors.js'
import type { AdminClient } from '../../client/admin-client.js'
import { ErrorCode, errorMessage } from '../../protocol/error-codes.js'
import { DeleteTopicsRequest, DeleteTopicsResponse } from '../../protocol/messages/delete-topics.js'
import { matchingTopics, requireTopics } from './topic-names.js'
import type { TopicsOptions } from './topics.js'

const TIMEOUT_MS = 60_000
const FIRST_VERSION_WITH_STATES = 6

export async function deleteTopics(client: AdminClient, options: TopicsOptions): Promise<void> {
  const found = await matchingTopics(client, options)
  requireTopics(found, options)
  if (found.length === 0) return
  const api = { request: DeleteTopicsRequest, response: DeleteTopicsResponse }
  const { responses } = await client.request(
    api,
    version =>
      version >= FIRST_VERSION_WITH_STATES
        ? { topics: found.map(({ name }) => ({ name })), timeoutMs: TIMEOUT_MS }
        : { topicNames: found.map(({ name }) => name), timeoutMs: TIMEOUT_MS },
    TIMEOUT_MS * 2,
  )
  const failed = responses.filter(({ errorCode }) => errorCode !== ErrorCode.NONE)
  if (options.json === true) {
    const deleted = responses.filter(({ errorCode }) => errorCode === ErrorCode.NONE)
    console.log(JSON.stringify({ deleted: deleted.map(({ name }) => name) }))
  }
  if (failed.length === 0) return
  const reasons = failed.map(
    topic => `${topic.name}: ${topic.errorMessage ?? errorMessage(topic.errorCode)}`,
  )
  throw new BrokerError(
    'ERR_TOPIC_DELETE',
    `Error while executing topic command : ${reasons.join('\n')}`,
  )
}
