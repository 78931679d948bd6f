/** So many may be inside at a time; the others wait in order. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Whether nobody would wait. */
  get isFree(): boolean {
    return this.#free > 0;
  }

  /** Waits for a slot.
   *  @returns what gives it back, once
   *  @throws the signal's reason, when it is aborted before */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#turn(signal);
    let isHeld = true;
    return () => {
      if (isHeld) this.#release();
      isHeld = false;
    };
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- whoever aborted says why
        reject(signal.reason);
      };
      const enter = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(enter);
    });
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}

const byCount = new Map<number, Slots>();

/** The slots of this process for loading processes: each needs its memory, and a core or two. */
export function loadingSlots(count: number): Slots {
  const known = byCount.get(count) ?? new Slots(count);
  byCount.set(count, known);
  return known;
}
