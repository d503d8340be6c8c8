/** The codes of errors that the addon throws or rejects with; `code` of an Error object. */

export const NativeErrorCode = {
  invalidArgument: 'ERR_INVALID_ARGUMENT',
  notFound: 'ERR_NOT_FOUND',
  alreadyExists: 'ERR_ALREADY_EXISTS',
  io: 'ERR_IO',
  noSpace: 'ERR_NO_SPACE',
  corrupt: 'ERR_CORRUPT',
  locked: 'ERR_LOCKED',
  closed: 'ERR_CLOSED',
} as const

export type NativeErrorCode = (typeof NativeErrorCode)[keyof typeof NativeErrorCode]
