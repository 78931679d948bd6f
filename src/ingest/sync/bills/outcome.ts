import type { Db } from '../../../kit/db.ts';
import { AppError } from '../../../kit/errors.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import { rememberFiles } from '../source-store.ts';
import type { RememberedFile, SyncPlan } from './plan.ts';

type Months = readonly string[];

/** Faults of the data, the months that keep their last good load because of them, and so the files that count as read, which the
 *  next sync skips. */
export class Outcome {
  readonly #owner: { db: Db; scope: OrgScope; accountId: string };
  readonly #plan: SyncPlan;
  readonly #faults: AppError[] = [];
  readonly #heldBack = new Set<string>();
  #isAllHeldBack = false;
  /** Files that left a month: they count as read once that month is made anew without them. */
  readonly #leavers: RememberedFile[] = [];

  constructor(owner: { db: Db; scope: OrgScope; accountId: string }, plan: SyncPlan) {
    this.#owner = owner;
    this.#plan = plan;
  }

  /** Runs work that a fault of the data ends; any other error ends the sync.
   *  @param months are held back by the fault
   *  @returns null after a fault */
  async attempt<Result>(work: () => Promise<Result>, months: Months | (() => Promise<Months>)): Promise<Result | null> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#faults.push(error);
      for (const month of typeof months === 'function' ? await months() : months) this.#heldBack.add(month);
      return null;
    }
  }

  /** A broken file does not say which months it holds, so that any month may lack its charges. */
  holdBackAll(): void {
    this.#isAllHeldBack = true;
  }

  isHeldBack(month: string): boolean {
    return this.#isAllHeldBack || this.#heldBack.has(month);
  }

  /** After the months of these files are loaded, or held back. */
  async remember(read: readonly RememberedFile[]): Promise<void> {
    const fine = read.filter(({ months }) => !this.#isAnyHeldBack(months));
    const isLeaver = ({ key, months }: RememberedFile) =>
      this.#plan.monthsBefore.get(key)?.some((month) => !months.includes(month)) ?? false;
    this.#leavers.push(...fine.filter(isLeaver));
    await this.#write(
      fine.filter((file) => !isLeaver(file)),
      [],
    );
  }

  /** After everything is loaded, or held back. */
  async settle(): Promise<void> {
    const isDone = (key: string) => !this.#isAnyHeldBack(this.#plan.monthsBefore.get(key) ?? []);
    await this.#write(
      this.#leavers.filter(({ key }) => isDone(key)),
      this.#plan.removed.filter(isDone),
    );
  }

  /** @throws {AppError} VALIDATION_ERROR with the first fault and the number of others, when there is any */
  throwFaults(): void {
    const [first] = this.#faults;
    if (!first) return;
    const others = new Set(this.#faults.map((fault) => fault.message)).size - 1;
    const { statement } = first;
    const reason = others > 0 ? [...statement.reason, ` (and ${others} more)`] : statement.reason;
    throw new AppError('VALIDATION_ERROR', { ...statement, reason }, { cause: first });
  }

  #isAnyHeldBack(months: Months): boolean {
    return months.some((month) => this.isHeldBack(month));
  }

  async #write(read: readonly RememberedFile[], removed: readonly string[]): Promise<void> {
    const { db, scope, accountId } = this.#owner;
    if (read.length + removed.length > 0) await rememberFiles(db, scope, accountId, { read, removed });
  }
}
