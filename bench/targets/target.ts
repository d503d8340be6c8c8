/** A broker under measurement: ours, the floor, or an Apache Kafka that runs already. */
export interface Target {
  /** `ours`, `floor`, or the label of a peer. */
  readonly name: string
  readonly host: string
  readonly port: number
  readonly pid: number
  /** Resident memory before the first load; of a peer, before this run's first load. */
  readonly idleMemory: Memory
  /** The command that starts a fresh broker on a port; undefined for a peer. */
  readonly freshCommand: ((port: number) => string[]) | undefined
  stop(): Promise<void>
}

/** Megabytes of 10^6 bytes. */
export interface Memory {
  readonly residentMb: number
  /** The part no file stands behind; the rest is mapped files, page cache among them. */
  readonly anonymousMb: number
}

export function hostAndPort(target: { readonly host: string; readonly port: number }) {
  return { host: target.host, port: target.port }
}
