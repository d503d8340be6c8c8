/** Brings a data plane to a stage and lets the process end there. lifecycle-stages.ts STAGE FOLDER */
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { loadAddon } from '../../src/binding/load.js'
import { OPTIONS, silentEvents, specOf } from './support.js'

const addon = loadAddon()

async function reach(stage: string, folder: string): Promise<void> {
  if (stage === 'worker') return endWorker(folder)
  if (stage === 'collected') return collect()
  const handle = addon.createDataPlane(OPTIONS, silentEvents())
  if (stage === 'created') return
  const port = addon.listen(handle, '127.0.0.1', 0, 0)
  if (stage === 'listening') return
  addon.addLogDir(handle, folder)
  const opening = addon.openPartitions(handle, [specOf(folder, 'a'), specOf(folder, 'b')])
  if (stage === 'opening') return
  await opening
  if (stage === 'open') return
  await new Promise<void>(resolve => connect(port, '127.0.0.1', resolve))
  if (stage === 'connected') return
  const draining = addon.drain(handle, 1000)
  if (stage === 'draining') return
  await draining
  const closing = addon.close(handle)
  if (stage === 'closing') return
  await closing
}

/** Forgotten handles: the finaliser stops their threads. */
async function collect(): Promise<void> {
  const gc = (globalThis as { gc?: () => void }).gc
  if (gc === undefined) throw new Error('run with --expose-gc')
  for (let i = 0; i < 5; i++) addon.createDataPlane(OPTIONS, silentEvents())
  for (let i = 0; i < 5; i++) {
    gc()
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

/** A worker that is terminated with a data plane open. Plain JavaScript: a worker does not take the TypeScript loader. */
async function endWorker(folder: string): Promise<void> {
  const path = fileURLToPath(new URL('../../build/Release/millrace.node', import.meta.url))
  const code = `
    const { parentPort, workerData } = require('node:worker_threads')
    const addon = require(workerData.path)
    const nothing = () => undefined
    const events = { onRequests: nothing, onConnectionClosed: nothing, onLogDirFailed: nothing, onLogLine: nothing, onFlushed: nothing }
    workerData.spec.topicId = Buffer.from(workerData.spec.topicId)
    const handle = addon.createDataPlane(workerData.options, events)
    addon.listen(handle, '127.0.0.1', 0, 0)
    addon.addLogDir(handle, workerData.folder)
    addon.openPartitions(handle, [workerData.spec]).then(failures => parentPort.postMessage(failures))
    setInterval(nothing, 1000)`
  const worker = new Worker(code, {
    eval: true,
    workerData: { path, folder, options: OPTIONS, spec: specOf(folder, 'w') },
  })
  await new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  await worker.terminate()
}

const [stage, folder] = process.argv.slice(2) as [string, string]
await reach(stage, folder)
process.stdout.write(`reached ${stage}\n`, () => process.exit(0))
