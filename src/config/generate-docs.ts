/**
 * Writes docs/configuration.md: `npx tsx src/config/generate-docs.ts`. A test fails when the page
 * is stale.
 */
import { writeFileSync } from 'node:fs'
import { configurationMarkdown } from './configuration-docs.js'

writeFileSync(new URL('../../docs/configuration.md', import.meta.url), configurationMarkdown())
