import { AppError, notFound } from '../../kit/errors.ts';
import type { SourceListing } from '../../providers/contract.ts';
import type { TryLater } from '../../providers/faults.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { readSource } from '../accounts/store.ts';
import { listDoubleBilling, warnOfDoubles } from './double-store.ts';
import { syncInventory, type InventoryOutcome } from './inventory.ts';
import type { SyncDeps, SyncJob, SyncResult } from './job.ts';
import { syncAccount } from './run.ts';
import { openSource, type OpenSource } from './source.ts';
import { keepSourceState, readSourceState, storeResealed, type KnownSource } from './source-store.ts';
import type { SyncProgress } from './store.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

/** Who is told how far a sync is, and what can stop it. */
export type SyncWatch = Pick<SyncJob, 'signal' | 'onProgress' | 'onReplaced'>;

/** What a sync of an account brought. */
export interface AccountResult extends SyncResult {
  /** Absent: it was not due, or there is none. */
  inventory?: 'listed';
  /** The bills are up to date, but for the inventory the provider asked to come back later. */
  later?: TryLater;
}

/** Syncs an account with its source, bills first, then the inventory, without keeping its sync state.
 *  @throws {AppError} NOT_FOUND when there is no such account; VALIDATION_ERROR when its bills cannot be loaded
 *  @throws {TryLater} when its provider asks to come back later, or cannot be reached */
export async function runSync(
  deps: SyncDeps,
  scope: OrgScope,
  accountId: string,
  watch: SyncWatch,
): Promise<AccountResult> {
  const account = await readSource(deps.db, scope, accountId);
  const known = await readSourceState(deps.db, scope, accountId);
  if (!account || !known) throw notFound('Account', accountId);
  const workspace = await openWorkspace(deps.config.dataDir, accountId);
  try {
    const source = await openSource(deps.config, accountId, account, watch.signal);
    try {
      const { resealed } = source;
      const { sealed } = account;
      if (resealed && sealed) await storeResealed(deps.db, scope, accountId, { sealed, resealed });
      return await new AccountRun({ deps, scope, accountId, watch, workspace, source, known }).run();
    } finally {
      await source.stop();
    }
  } finally {
    await workspace.remove();
  }
}

interface Parts {
  readonly deps: SyncDeps;
  readonly scope: OrgScope;
  readonly accountId: string;
  readonly watch: SyncWatch;
  readonly workspace: Workspace;
  readonly source: OpenSource;
  readonly known: KnownSource;
}

class AccountRun {
  readonly #it: Parts;
  /** What the source says beside its files, once it is listed. */
  #said: Omit<SourceListing, 'files'> | null = null;
  #latest: SyncProgress = { phase: 'listing', percent: 0, rows: 0 };

  constructor(parts: Parts) {
    this.#it = parts;
  }

  async run(): Promise<AccountResult> {
    const bills = await this.#bills();
    const inventory = await this.#inventory();
    await this.#keep(inventory, !(bills instanceof AppError));
    if (bills instanceof AppError) throw bills;
    const { isListed, later } = inventory;
    return { ...bills, ...(isListed && { inventory: 'listed' }), ...(later && { later }) };
  }

  /** A fault of the data keeps nobody from listing the inventory. */
  async #bills(): Promise<SyncResult | AppError> {
    const { deps, scope, accountId, source, known, watch, workspace } = this.#it;
    const job: SyncJob = {
      ...watch,
      accountId,
      workspace,
      source: source.costs,
      memo: known.memo,
      onListed: (said) => void (this.#said = said),
      onProgress: (progress) => this.#tell(progress),
    };
    return syncAccount(deps, scope, job).catch((error: unknown) => {
      if (error instanceof AppError && !watch.signal.aborted) return error;
      throw error;
    });
  }

  #inventory(): Promise<InventoryOutcome> {
    const { deps, scope, accountId, source, known, watch, workspace } = this.#it;
    return syncInventory(deps, scope, {
      accountId,
      source,
      folder: workspace.folder,
      inventoryAt: known.inventoryAt,
      signal: watch.signal,
      onBegin: () => this.#tell({ ...this.#latest, phase: 'inventory', percent: 95 }),
    });
  }

  /** The next listing goes by this one's memo only if everything of this one was loaded. */
  async #keep({ isListed, warnings }: InventoryOutcome, isLoaded: boolean): Promise<void> {
    const { deps, scope, accountId, known } = this.#it;
    const said = this.#said;
    const inventoryWarnings = warnings ?? known.inventoryWarnings;
    const doubles = await listDoubleBilling(deps.pool, scope, accountId);
    await keepSourceState(deps.db, scope, accountId, {
      of: known.of,
      memo: said && isLoaded ? said.memo : known.memo,
      inventoryAt: isListed ? deps.clock.now() : known.inventoryAt,
      inventoryWarnings,
      warnings: said && [...said.warnings, ...inventoryWarnings, ...warnOfDoubles(doubles)],
    });
  }

  #tell(progress: SyncProgress): void {
    this.#latest = progress;
    this.#it.watch.onProgress(progress);
  }
}
