/**
 * Removes the folders of deleted partitions after a delay, one at a time. Those that a stop or crash leaves are
 * found at the next start. Timers do not keep the process alive.
 */
import { messageOf } from '../base/errors.js'
import { removeDeletedDirectory } from '../log/partition-directories.js'

export interface DeletedFoldersOptions {
  readonly delayMs: number
  onFailure(path: string, why: string): void
}

const DELAY_MS_MAX = 2 ** 31 - 1

export class DeletedFolders {
  readonly #options: DeletedFoldersOptions
  readonly #timers = new Set<NodeJS.Timeout>()
  #work: Promise<void> = Promise.resolve()

  constructor(options: DeletedFoldersOptions) {
    this.#options = options
  }

  /** Removes the folder after `delayMs`. */
  add(path: string, delayMs = this.#options.delayMs): void {
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer)
        this.#work = this.#work.then(() => this.#remove(path))
      },
      Math.min(delayMs, DELAY_MS_MAX),
    )
    this.#timers.add(timer.unref())
  }

  /** Leaves the rest to the next start; resolves when the removal in work is done. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
    await this.#work
  }

  async #remove(path: string): Promise<void> {
    try {
      await removeDeletedDirectory(path)
    } catch (error) {
      this.#options.onFailure(path, messageOf(error))
    }
  }
}
