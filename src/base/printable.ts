/** Makes foreign text safe for a terminal or a log line. */

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g

/**
 * `text` with every control character written as \uXXXX, so that it can neither break lines nor
 * colour them.
 */
export function escapeControlCharacters(text: string): string {
  return text.replace(
    CONTROL,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
