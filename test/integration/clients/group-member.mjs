/** A member of a consumer group with KafkaJS: group-member.mjs SERVERS GROUP TOPIC; prints as group_member.py does. */
import kafkajs from 'kafkajs'

const [servers, groupId, topic] = process.argv.slice(2)
const kafka = new kafkajs.Kafka({
  brokers: [servers],
  logLevel: kafkajs.logLevel.ERROR,
  retry: { initialRetryTime: 100, maxRetryTime: 500, retries: 1000 },
})
const consumer = kafka.consumer({ groupId, sessionTimeout: 6000, heartbeatInterval: 500 })
consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
  console.log(['assigned', ...(payload.memberAssignment[topic] ?? [])].join(' '))
})
process.on('SIGTERM', async () => {
  await consumer.disconnect()
  process.exit(0)
})
await consumer.connect()
await consumer.subscribe({ topic, fromBeginning: true })
await consumer.run({
  autoCommit: false,
  eachMessage: async ({ partition, message }) => {
    console.log(`${topic} ${partition} ${message.offset} ${message.value}`)
    await consumer.commitOffsets([
      { topic, partition, offset: String(BigInt(message.offset) + 1n) },
    ])
  },
})
