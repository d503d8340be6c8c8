/** `millrace topics --list`: one name a line. */
import type { AdminClient } from '../../client/admin-client.js'
import { matchingTopics } from './topic-names.js'
import type { TopicsOptions } from './topics.js'

export async function listTopics(client: AdminClient, options: TopicsOptions): Promise<void> {
  const found = await matchingTopics(client, options)
  if (options.json === true) console.log(JSON.stringify(found.map(({ name }) => name)))
  else for (const { name } of found) console.log(name)
}
