import { AppError } from '../../kit/errors.ts';

/** What is wrong with the data of a sync, and the months that keep their last good load for it. */
export class Faults {
  readonly #found: AppError[] = [];
  readonly #heldBack = new Set<string>();
  #isAllHeldBack = false;

  /** Notes a fault, and holds back the months it touches. */
  refuse(fault: AppError, months: readonly string[]): void {
    this.#found.push(fault);
    for (const month of months) this.#heldBack.add(month);
  }

  /** A broken file does not say which months it holds, so that any month may lack its charges. */
  holdBackAll(): void {
    this.#isAllHeldBack = true;
  }

  isHeldBack(month: string): boolean {
    return this.#isAllHeldBack || this.#heldBack.has(month);
  }

  /** Runs work that a fault of the data ends; any other error ends the sync.
   *  @param months those that the fault touches
   *  @returns whether it was done */
  async attempt(
    work: () => Promise<void>,
    months: () => readonly string[] | Promise<readonly string[]>,
  ): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.refuse(error, await months());
      return false;
    }
  }

  /** @throws {AppError} VALIDATION_ERROR with the first fault and the number of others, when there is any */
  throwAny(): void {
    const [first] = this.#found;
    if (!first) return;
    const others = new Set(this.#found.map((fault) => fault.message)).size - 1;
    const { statement } = first;
    const reason = others > 0 ? [...statement.reason, ` (and ${others} more)`] : statement.reason;
    throw new AppError('VALIDATION_ERROR', { ...statement, reason }, { cause: first });
  }
}
