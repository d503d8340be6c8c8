/** `millrace/client` bundles for browsers: no Node module remains, nor the broker, and it stays small. */
import { createRequire } from 'node:module'
import { runInNewContext } from 'node:vm'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { ROOT } from '../tidy/tree.js'
import type * as clientIndex from '../../src/client/index.js'
import { openTcp } from '../../src/client/transport/tcp.browser.js'
import { gzip } from '../../src/records/compression/gzip.browser.js'
import { codecLoaders } from '../../src/records/compression/native-codecs.browser.js'

const KIB = 1024
/** What may be sent to a browser, minified and not compressed. Raise it knowingly. */
const BUNDLE_BYTES_MAX = 256 * KIB

async function bundle(format: 'esm' | 'iife', minify: boolean) {
  // As a user's bundler finds it: through the package's exports and its "browser" field.
  const { exports } = createRequire(import.meta.url)(`${ROOT}/package.json`) as {
    exports: { './client': { default: string } }
  }
  const { outputFiles, metafile } = await build({
    entryPoints: [`${ROOT}/${exports['./client'].default}`],
    absWorkingDir: ROOT,
    bundle: true,
    platform: 'browser',
    format,
    globalName: 'client',
    minify,
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  return { code: outputFiles[0]!.text, inputs: Object.keys(metafile.inputs) }
}

test('no Node module and nothing of the broker is in the bundle', async () => {
  const { code, inputs } = await bundle('esm', false)
  expect(code.match(/["'`]node:[a-z_/]+["'`]/g)).toBeNull()
  const folders = new Set(inputs.map(path => path.split('/')[1]))
  expect([...folders].sort()).toEqual(['base', 'client', 'protocol', 'records'])
  expect(inputs.filter(path => path.includes('node_modules'))).toEqual([])
})

test('it stays small', async () => {
  const { code } = await bundle('esm', true)
  expect(code.length).toBeLessThan(BUNDLE_BYTES_MAX)
})

test('it loads where there is Buffer and the web’s globals, and tells what is missing there', async () => {
  const { code } = await bundle('iife', true)
  const web = { Buffer, setTimeout, clearTimeout, setInterval, clearInterval, performance, crypto }
  const context = { ...web, AbortController, queueMicrotask }
  const client = runInNewContext(`${code};client`, context) as typeof clientIndex
  const producer = new client.Producer({ bootstrapServers: '127.0.0.1:9092', maxBlockMs: 1 })
  await expect(producer.send({ topic: 't', value: 'x' })).rejects.toThrow(/cannot open TCP/)
  await producer.close()
  await expect(openTcp({ host: 'a', port: 1 }, {} as never, 1)).rejects.toThrow(/transport/)
})

test('gzip works through the platform’s streams, with the bound and the errors of the other', async () => {
  const text = Buffer.from('text '.repeat(1000))
  const packed = await gzip.compress(text)
  expect(packed.length).toBeLessThan(text.length / 10)
  expect(await gzip.decompress(packed, text.length)).toEqual(text)
  await expect(gzip.decompress(packed, 100)).rejects.toMatchObject({
    code: 'ERR_DECOMPRESSED_TOO_LARGE',
  })
  await expect(gzip.decompress(Buffer.from('no gzip'), 100)).rejects.toMatchObject({
    code: 'ERR_RECORD_CORRUPT',
  })
  expect(Object.keys(codecLoaders)).toEqual(['gzip'])
})
