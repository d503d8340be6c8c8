/** Makes foreign text safe for a terminal, a log line or an error message. */

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

const EXCERPT_LENGTH_MAX = 300

/**
 * The beginning of `text`, and `...` if there is more: what an error message may quote. A message that
 * repeated a client's longest text would be longer than a string of the protocol can be.
 */
export function excerptOf(text: string): string {
  return text.length > EXCERPT_LENGTH_MAX ? `${text.slice(0, EXCERPT_LENGTH_MAX)}...` : text
}
