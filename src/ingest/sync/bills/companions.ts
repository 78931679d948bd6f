import { hasStatements, replaceStatements } from '../../../facts/stated/store.ts';
import { recordCommitments } from '../../../facts/stated/commitments.ts';
import type { Deps } from '../../../kit/deps.ts';
import { fix, invalid } from '../../../kit/errors/errors.ts';
import type { SourceFile } from '../../../providers/contract.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import type { Statements } from '../loader/protocol.ts';
import type { Downloads } from './downloads.ts';
import type { Loader } from './loader.ts';
import { NotABill } from './not-a-bill.ts';
import type { Outcome } from './outcome.ts';
import type { SyncPlan } from './plan.ts';

interface Parts {
  readonly deps: Pick<Deps, 'pool' | 'clock' | 'engine'>;
  readonly scope: OrgScope;
  readonly accountId: string;
  readonly plan: SyncPlan;
  readonly downloads: Downloads;
  readonly loader: Loader;
  readonly outcome: Outcome;
}

/** The files of a delivery that are not bills: FOCUS's Contract Commitment, Invoice Detail and Billing Period. They never hold a
 *  billing month back. */
export class Companions {
  readonly #it: Parts;
  readonly #changed: SourceFile[] = [];

  constructor(parts: Parts) {
    this.#it = parts;
  }

  /** Returns whether a downloaded file is not a bill, and keeps it for `store`.
   *  @throws {AppError} VALIDATION_ERROR when its header is unreadable */
  async take(file: SourceFile): Promise<boolean> {
    if (!(await this.#isCompanion(file))) return false;
    this.#changed.push(file);
    return true;
  }

  /** Reads the companions of the source, if any is new or gone, and replaces the stored statements with theirs. Call it once the
   *  bills are loaded.
   *  @returns whether anything was stored */
  async store(): Promise<boolean> {
    const { outcome, deps, scope, accountId } = this.#it;
    const isAnyGone = this.#isAnyGone() && (await hasStatements(deps.pool, scope, accountId));
    if (this.#changed.length === 0 && !isAnyGone) return false;
    const isStored = await outcome.attempt(async () => {
      const { commitments, datasets, ...statements } = await this.#read([
        ...this.#changed,
        ...(await this.#unchanged()),
      ]);
      const origin = { accountId, now: deps.clock.now() };
      await replaceStatements(deps.pool, scope, origin, statements);
      if (datasets.includes('contract_commitment') || isAnyGone)
        await recordCommitments(deps, scope, origin, commitments);
      return true;
    }, []);
    if (isStored) await outcome.remember(this.#changed.map(({ key, token }) => ({ key, token, months: [] })));
    return isStored ?? false;
  }

  /** Returns whether a file that contained no charges, so may have been a companion, was removed or replaced. */
  #isAnyGone(): boolean {
    const { plan } = this.#it;
    return [...plan.removed, ...plan.changed.map(({ key }) => key)].some(
      (key) => plan.monthsBefore.get(key)?.length === 0,
    );
  }

  async #read(files: readonly SourceFile[]): Promise<Statements> {
    const { downloads, loader } = this.#it;
    if (files.length === 0) return { datasets: [], invoices: [], periods: [], commitments: [] };
    const locals = (await Promise.all(files.map((file) => downloads.take(file)))).flat();
    return loader.ask('state', { files: locals });
  }

  /** Unchanged companions. No file without charges is remembered with a month. */
  async #unchanged(): Promise<SourceFile[]> {
    const { plan, downloads } = this.#it;
    const companions: SourceFile[] = [];
    for (const { file } of plan.unchanged.filter(({ months }) => months.length === 0)) {
      downloads.want([file]);
      if (await this.#isCompanion(file).catch(ifNotABill)) companions.push(file);
      else await downloads.release([file]);
    }
    return companions;
  }

  /** @throws {AppError} VALIDATION_ERROR for an archive with both bills and companions */
  async #isCompanion(file: SourceFile): Promise<boolean> {
    const { downloads, loader } = this.#it;
    const found = new Set<boolean>();
    for (const local of await downloads.take(file)) {
      const companion = await loader.ask('recognize', { file: local }).catch(ifNotABill);
      // Reading it reports the same error.
      if (companion !== false) found.add(companion !== null);
    }
    if (found.size > 1)
      throw invalid`${file.key} contains costs and other FOCUS datasets${fix}deliver them in separate archives`;
    return found.has(true);
  }
}

function ifNotABill(error: unknown): false {
  if (error instanceof NotABill) return false;
  throw error;
}
