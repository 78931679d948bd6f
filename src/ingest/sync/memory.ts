import type { Db } from '../../kit/db.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { Faults } from './faults.ts';
import type { RememberedFile, SyncPlan } from './plan.ts';
import { rememberFiles } from './store.ts';

/** Decides which files count as read, so that the next sync passes them over. */
export class SourceMemory {
  readonly #owner: { db: Db; scope: OrgScope; accountId: string };
  readonly #plan: SyncPlan;
  readonly #faults: Faults;
  /** Files that left a month: they count as read once that month is made anew without them. */
  readonly #leavers: RememberedFile[] = [];

  constructor(owner: { db: Db; scope: OrgScope; accountId: string }, plan: SyncPlan, faults: Faults) {
    this.#owner = owner;
    this.#plan = plan;
    this.#faults = faults;
  }

  /** After the months of these files are loaded, or held back. */
  async remember(read: readonly RememberedFile[]): Promise<void> {
    const fine = read.filter(({ months }) => !this.#areHeldBack(months));
    const isLeaver = ({ key, months }: RememberedFile) =>
      this.#plan.monthsBefore.get(key)?.some((month) => !months.includes(month)) ?? false;
    this.#leavers.push(...fine.filter(isLeaver));
    const stayers = fine.filter((file) => !isLeaver(file));
    await this.#write(stayers, []);
  }

  /** After everything is loaded, or held back. */
  async settle(): Promise<void> {
    const isDone = (key: string) => !this.#areHeldBack(this.#plan.monthsBefore.get(key) ?? []);
    const left = this.#leavers.filter(({ key }) => isDone(key));
    await this.#write(left, this.#plan.removed.filter(isDone));
  }

  #areHeldBack(months: readonly string[]): boolean {
    return months.some((month) => this.#faults.isHeldBack(month));
  }

  async #write(read: readonly RememberedFile[], removed: readonly string[]): Promise<void> {
    const { db, scope, accountId } = this.#owner;
    if (read.length + removed.length > 0) await rememberFiles(db, scope, accountId, { read, removed });
  }
}
