/** Brings a data plane to a stage and lets the process end there. lifecycle-stages.ts STAGE FOLDER */
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Worker, isMainThread, workerData } from 'node:worker_threads'
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

/** A worker that is terminated with a data plane open. */
async function endWorker(folder: string): Promise<void> {
  const worker = new Worker(fileURLToPath(import.meta.url), {
    workerData: { folder },
    execArgv: ['--import', 'tsx'],
  })
  await new Promise(resolve => worker.once('message', resolve))
  await worker.terminate()
}

if (isMainThread) {
  const [stage, folder] = process.argv.slice(2) as [string, string]
  await reach(stage, folder)
  process.stdout.write(`reached ${stage}\n`, () => process.exit(0))
} else {
  const { parentPort } = await import('node:worker_threads')
  await reach('open', (workerData as { folder: string }).folder)
  parentPort?.postMessage('open')
  setInterval(() => undefined, 1000)
}
