/** Lets a poll sleep until something happened. What happens while nobody sleeps is not forgotten. */
export class Signal {
  #happened = false
  #wake: (() => void) | null = null

  notify(): void {
    this.#happened = true
    this.#wake?.()
  }

  /** Resolves at the next `notify`, or after `ms`. */
  async wait(ms: number): Promise<void> {
    if (!this.#happened && ms > 0) {
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, ms)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      this.#wake = null
    }
    this.#happened = false
  }
}
