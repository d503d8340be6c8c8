/**
 * Sums up vitest's JSON reports for test/run.sh: node test/verdict.mjs FIRST [SECOND].
 * Without SECOND it prints the files worth a second try, one a line: those that run real processes against real clocks,
 * where a slow machine can fail a test that is right. With SECOND the results of those files count from it; what
 * passed only then is named, so that it gets mended. The last line is "N passed, N failed".
 */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

const REAL_PROCESSES = /^test\/(integration|client|crash|soak)\//
const [first, second] = process.argv.slice(2).map(path => resultsOf(path))

if (second === undefined) {
  for (const { file } of first.filter(isFailed)) if (REAL_PROCESSES.test(file)) console.log(file)
} else {
  const again = new Map(second.map(result => [result.file, result]))
  const before = failuresOf(first)
  const final = first.map(result => again.get(result.file) ?? result)
  const failures = failuresOf(final)
  const late = before.filter(({ name }) => !failures.some(failure => failure.name === name))
  for (const { name } of late) console.log(`== Passed only at the second try: ${name}`)
  for (const { name, why } of failures) console.log(`== Failed: ${name}\n${why}`)
  const passed = final.flatMap(({ tests }) => tests).filter(({ status }) => status === 'passed')
  // A run that left no report did not end by itself.
  console.log(`${passed.length} passed, ${failures.length + (first.length === 0 ? 1 : 0)} failed`)
}

function resultsOf(path) {
  const text = readFileSync(path, 'utf8')
  if (text === '') return []
  return JSON.parse(text).testResults.map(({ name, status, message, assertionResults }) => ({
    file: relative(process.cwd(), name),
    status,
    message,
    tests: assertionResults,
  }))
}

function isFailed({ status }) {
  return status === 'failed'
}

/** A file that could not even be loaded counts as one. */
function failuresOf(results) {
  return results.filter(isFailed).flatMap(({ file, message, tests }) => {
    const failed = tests.filter(isFailed)
    if (failed.length === 0) return [{ name: file, why: firstLines(message) }]
    return failed.map(({ fullName, failureMessages }) => ({
      name: `${file}: ${fullName}`,
      why: firstLines(failureMessages.join('\n')),
    }))
  })
}

function firstLines(text) {
  return (text ?? '').split('\n').slice(0, 12).join('\n')
}
