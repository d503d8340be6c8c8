/** The snippets of docs/client.md and the producer of README.md run as they stand. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT, textOf } from '../tidy/tree.js'
import { type Target, startTarget } from './target.js'

const ADDRESS = '127.0.0.1:9092'
const run = promisify(execFile)

let target: Target
let folder: string
beforeAll(async () => {
  target = await startTarget()
  folder = await mkdtemp(join(tmpdir(), 'millrace-docs-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await target.close()
})

const snippets = ['docs/client.md', 'README.md'].flatMap(path =>
  [...textOf(path).matchAll(/```js\n(.*?)```/gs)]
    .map(([, code]) => code!)
    // What starts a broker or needs other packages is shown elsewhere.
    .filter(code => /from 'millrace(\/client)?'/.test(code) && code.includes(ADDRESS))
    .map((code, index) => [`${path} ${index}`, code] as const),
)

test.each(snippets)('%s', async (name, code) => {
  const file = join(folder, `${name.replace(/\W+/g, '-')}.mjs`)
  const module = `${ROOT}/dist/client/index.js`
  const local = code
    .replaceAll(/from 'millrace(\/client)?'/g, `from ${JSON.stringify(module)}`)
    .replaceAll(ADDRESS, target.bootstrapServers)
  await writeFile(file, local)
  const { stderr } = await run(process.execPath, [file], { timeout: 50_000 })
  expect(stderr).toBe('')
})

test('there are snippets', () => {
  expect(snippets.length).toBeGreaterThan(5)
})
