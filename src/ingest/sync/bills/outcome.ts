import type { Db } from '../../../kit/db.ts';
import { AppError, type Statement } from '../../../kit/errors/errors.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import type { Conflict } from '../../../providers/contract.ts';
import { rememberFiles, type RememberedFile } from '../source-store.ts';
import type { SourceFile } from '../../../providers/contract.ts';
import type { PassedOver } from '../loader/protocol.ts';
import { NotABill } from './not-a-bill.ts';
import type { SyncPlan } from './plan.ts';

type Months = readonly string[];

/** Collects data errors and the months that keep their last good load because of them, and so determines which files count as
 *  read and are skipped by the next sync. */
export class Outcome {
  readonly #owner: { db: Db; scope: OrgScope; accountId: string };
  readonly #plan: SyncPlan;
  readonly #faults: AppError[] = [];
  readonly #heldBack = new Set<string>();
  #isAllHeldBack = false;
  readonly #noBills: RememberedFile[] = [];
  /** Files that were not read, because they are not bills. */
  readonly passedOver: PassedOver[] = [];
  /** Keys of files with data errors. */
  readonly unreadable: string[] = [];
  readonly #monthsRead = new Set<string>();
  /** Files that no longer contain a month: they count as read once that month is rebuilt without them. */
  readonly #leavers: RememberedFile[] = [];

  constructor(owner: { db: Db; scope: OrgScope; accountId: string }, plan: SyncPlan) {
    this.#owner = owner;
    this.#plan = plan;
  }

  /** Runs work and records a data error; any other error ends the sync.
   *  @param months held back by a data error
   *  @param file read by the work, if it reads one only
   *  @returns null after a data error */
  async attempt<Result>(
    work: () => Promise<Result>,
    months: Months | (() => Promise<Months>),
    file?: SourceFile,
  ): Promise<Result | null> {
    try {
      return await work();
    } catch (error) {
      // An engine that stopped, for example, says nothing about the data.
      if (!(error instanceof AppError) || error.code === 'SERVICE_UNAVAILABLE') throw error;
      this.#faults.push(error);
      if (file) this.unreadable.push(file.key);
      for (const month of typeof months === 'function' ? await months() : months) this.#heldBack.add(month);
      return null;
    }
  }

  /** Records conflicting files as a data error of their months. */
  refuse({ keys, months, statement }: Conflict): void {
    this.#faults.push(new AppError('VALIDATION_ERROR', statement));
    const before = keys.flatMap((key) => this.#plan.monthsBefore.get(key) ?? []);
    for (const month of [...months, ...before]) this.#heldBack.add(month);
  }

  /** Like `attempt`, for a file that no manifest names: one that is not a bill is skipped and holds nothing back, unless it was
   *  a bill before. */
  async attemptFile<Result>(
    file: SourceFile,
    work: () => Promise<Result>,
    months: () => Promise<Months>,
  ): Promise<Result | null> {
    const wasBill = (this.#plan.monthsBefore.get(file.key)?.length ?? 0) > 0;
    return this.attempt(
      async () => {
        try {
          return await work();
        } catch (error) {
          if (!(error instanceof NotABill) || wasBill || file.month !== null) throw error;
          this.#noBills.push({ key: file.key, token: file.token, months: [] });
          this.passedOver.push({ key: file.key, name: file.key, because: error.because });
          return null;
        }
      },
      months,
      file,
    );
  }

  /** Holds back all months: a broken file does not show which months it contains, so any month may lack its charges. */
  holdBackAll(): void {
    this.#isAllHeldBack = true;
  }

  isHeldBack(month: string): boolean {
    return this.#isAllHeldBack || this.#heldBack.has(month);
  }

  get hasFaults(): boolean {
    return this.#faults.length > 0;
  }

  /** Returns whether a file of this sync contains a month, or may contain it because it is broken. */
  isInFiles(month: string): boolean {
    return this.#monthsRead.has(month) || this.isHeldBack(month);
  }

  /** Call after the months of these files are loaded or held back. */
  async remember(read: readonly RememberedFile[]): Promise<void> {
    for (const month of read.flatMap(({ months }) => months)) this.#monthsRead.add(month);
    const fine = read.filter(({ months }) => !this.#isAnyHeldBack(months));
    const isLeaver = ({ key, months }: RememberedFile) =>
      this.#plan.monthsBefore.get(key)?.some((month) => !months.includes(month)) ?? false;
    this.#leavers.push(...fine.filter(isLeaver));
    await this.#write(
      fine.filter((file) => !isLeaver(file)),
      [],
    );
  }

  /** Call after everything is loaded or held back. */
  async settle(): Promise<void> {
    const isDone = (key: string) => !this.#isAnyHeldBack(this.#plan.monthsBefore.get(key) ?? []);
    await this.#write(
      [...this.#noBills, ...this.#leavers.filter(({ key }) => isDone(key))],
      this.#plan.removed.filter(isDone),
    );
  }

  /** @throws {AppError} VALIDATION_ERROR with the data errors: those of more than a few files follow once these are corrected */
  throwFaults(): void {
    const [first] = this.#faults;
    if (!first) return;
    const others = [...new Set(this.#faults.map((fault) => fault.message))].filter((text) => text !== first.message);
    throw new AppError('VALIDATION_ERROR', withOthers(first.statement, others), { cause: first });
  }

  #isAnyHeldBack(months: Months): boolean {
    return months.some((month) => this.isHeldBack(month));
  }

  async #write(read: readonly RememberedFile[], removed: readonly string[]): Promise<void> {
    const { db, scope, accountId } = this.#owner;
    if (read.length + removed.length > 0) await rememberFiles(db, scope, accountId, { read, removed });
  }
}

/** Maximum number of other errors in a message. */
const otherFaults = 4;

function withOthers(statement: Statement, others: readonly string[]): Statement {
  if (others.length === 0) return statement;
  const more = others.length - otherFaults;
  const rest = more > 0 ? [`${more} more, which the next syncs report`] : [];
  const also = `. Also: ${[...others.slice(0, otherFaults), ...rest].join('. ')}`;
  const { reason, remedy } = statement;
  return remedy.length > 0 ? { ...statement, remedy: [...remedy, also] } : { ...statement, reason: [...reason, also] };
}
