/**
 * `npm run generate`: writes the files that are made from the schemas: the C++ codecs of the data
 * plane and the API table of docs/protocol.md. Tests compare them with the tree.
 */
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { apis } from './apis.js'
import { apiTable, withApiTable } from './generate/api-table.js'
import { nativeCodecs } from './generate/native-codecs.js'

const root = new URL('../../', import.meta.url)

for (const { path, content } of nativeCodecs()) await writeFile(new URL(path, root), content)

const page = new URL('docs/protocol.md', root)
const table = apiTable(apis, await answeredApis())
await writeFile(page, withApiTable(await readFile(page, 'utf8'), table))

/**
 * Protocol may not import handlers, so the registry is loaded by its address, as the data it is
 * here.
 */
async function answeredApis(): Promise<ReadonlySet<string>> {
  const address = new URL('src/handlers/registry.ts', root)
  if (!existsSync(address)) return new Set()
  const loaded = (await import(address.href)) as {
    readonly registry: readonly { readonly name: string }[]
  }
  return new Set(loaded.registry.map(({ name }) => name))
}
