/** From the settings of a topic to those of its logs in the data plane. */
import type { LogSettings } from '../binding/native-addon.js'
import type { BrokerConfig } from '../config/broker-config.js'
import type { TopicConfig } from '../config/topic-config.js'
import type { RetentionSettings } from './log-retention.js'

/** Values above 2^53 round; they all mean "never" or "no limit". */
export function logSettingsOf(topic: TopicConfig, broker: BrokerConfig): LogSettings {
  return {
    segmentBytes: topic.get('segment.bytes'),
    segmentMs: Number(topic.get('segment.ms')),
    segmentJitterMs: Number(topic.get('segment.jitter.ms')),
    segmentIndexBytes: topic.get('segment.index.bytes'),
    indexIntervalBytes: topic.get('index.interval.bytes'),
    maxMessageBytes: topic.get('max.message.bytes'),
    logAppendTime: topic.get('message.timestamp.type') === 'LogAppendTime',
    timestampBeforeMaxMs: Number(topic.get('message.timestamp.before.max.ms')),
    timestampAfterMaxMs: Number(topic.get('message.timestamp.after.max.ms')),
    fileDeleteDelayMs: Number(topic.get('file.delete.delay.ms')),
    flushMessages: Number(topic.get('flush.messages')),
    // log.flush.interval.ms has no lower bound.
    flushMs: Math.max(0, Number(topic.get('flush.ms'))),
    producerIdExpirationMs: broker.get('producer.id.expiration.ms'),
    compacted: topic.get('cleanup.policy').includes('compact'),
    acksAllFlush: topic.get('acks.all.flush') as LogSettings['acksAllFlush'],
  }
}

export function retentionSettingsOf(topic: TopicConfig): RetentionSettings {
  return {
    deletes: topic.get('cleanup.policy').includes('delete'),
    retentionMs: Number(topic.get('retention.ms')),
    retentionBytes: Number(topic.get('retention.bytes')),
  }
}
