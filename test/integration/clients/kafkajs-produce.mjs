// Produces the lines of a file with KafkaJS: kafkajs-produce.mjs SERVERS TOPIC CODEC FILE
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import nodeZstd from '@toondepauw/node-zstd'
import kafkajs from 'kafkajs'
import lz4 from 'lz4-napi'
import snappy from 'snappy'

const { CompressionCodecs, CompressionTypes, Kafka, logLevel } = kafkajs
const { Decoder, Encoder } = nodeZstd
const [servers, topic, codec, path] = process.argv.slice(2)

const plain = (compress, decompress) => () => ({ compress: e => compress(e.buffer), decompress })
CompressionCodecs[CompressionTypes.Snappy] = plain(
  b => snappy.compress(b),
  b => snappy.uncompress(b),
)
CompressionCodecs[CompressionTypes.LZ4] = plain(
  b => lz4.compressFrame(b),
  b => lz4.decompressFrame(b),
)
CompressionCodecs[CompressionTypes.ZSTD] = plain(
  b => new Encoder(3).encode(b),
  b => new Decoder().decode(b),
)
const compression = {
  none: CompressionTypes.None,
  gzip: CompressionTypes.GZIP,
  snappy: CompressionTypes.Snappy,
  lz4: CompressionTypes.LZ4,
  zstd: CompressionTypes.ZSTD,
}[codec]

const kafka = new Kafka({ brokers: [servers], clientId: 'round-trip', logLevel: logLevel.ERROR })
const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1 })
await producer.connect()
let messages = []
const send = async () => {
  if (messages.length > 0) await producer.send({ topic, compression, acks: -1, messages })
  messages = []
}
for await (const value of createInterface({ input: createReadStream(path) })) {
  messages.push({ value, partition: 0 })
  if (messages.length === 4000) await send()
}
await send()
await producer.disconnect()
