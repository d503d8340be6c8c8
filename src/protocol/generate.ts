/**
 * `npm run generate`: writes the files that are made from the schemas. Tests compare them with the
 * tree.
 */
import { writeFile } from 'node:fs/promises'
import { nativeCodecs } from './generate/native-codecs.js'

const root = new URL('../../', import.meta.url)
for (const { path, content } of nativeCodecs()) await writeFile(new URL(path, root), content)
