/** Chance as an interface, so that what depends on it (jitter, sticky partitions) can be replayed from a seed. */

/** A number in [0, 1), as Math.random. */
export type Random = () => number

export const systemRandom: Random = () => Math.random()
