/** Frames that no client sends: unknown keys and versions, bodies cut short or overwritten, lengths that lie. */
import { encodeRequest } from '../../../src/protocol/codec.js'
import { SIZE_PREFIX_BYTES, sealFrame } from '../../../src/protocol/frame.js'
import { generateBody } from './generate.js'
import type { SeededRandom } from './random.js'
import { apiOf } from './setup.js'
import type { Side } from './side.js'

export interface DamagedFrame {
  readonly name: string
  readonly frame: Buffer
}

const READING = ['Metadata', 'DescribeConfigs', 'ListOffsets', 'DescribeCluster', 'FindCoordinator']

export function damagedFrames(random: SeededRandom, side: Side): DamagedFrame[] {
  const frames: DamagedFrame[] = []
  for (const key of [-1, 4, 5, 6, 7, 95, 999]) {
    frames.push({ name: 'unknown key', frame: headed(key, 0) })
  }
  for (const name of READING) {
    const { request } = apiOf(name)
    for (const version of [-1, request.versions[1] + 1, 99]) {
      frames.push({ name: 'unknown version', frame: headed(request.apiKey, version) })
    }
    for (let version = request.versions[0]; version <= request.versions[1]; version++) {
      for (let i = 0; i < 6; i++) frames.push(cut(name, version, random, side))
    }
  }
  return frames
}

function headed(key: number, version: number): Buffer {
  const frame = Buffer.alloc(4 + 12)
  frame.writeInt32BE(12, 0)
  frame.writeInt16BE(key, 4)
  frame.writeInt16BE(version, 6)
  frame.writeInt32BE(1, 8)
  frame.writeInt16BE(-1, 12)
  return frame
}

/** A good request that ends too early: its body is never whole. */
function cut(name: string, version: number, random: SeededRandom, side: Side): DamagedFrame {
  const { request } = apiOf(name)
  const body = side.withIds(generateBody(request, name, version, random))
  const header = { correlationId: 1, clientId: 'x' }
  const whole = encodeRequest(request, version, header, body as never, SIZE_PREFIX_BYTES)
  const length = Math.max(8, whole.length - 1 - random.below(Math.max(1, whole.length - 20)))
  return { name: 'cut body', frame: sealFrame(Buffer.from(whole.subarray(0, length))) }
}
