import { focusRootOf } from '../../providers/focus/path.ts';
import { AppError, fix, invalid, notFound, operation } from '../../kit/errors/errors.ts';
import { dayOf } from '../../kit/time/period.ts';
import { inSpan } from '../../kit/tracing/spans.ts';
import type { CostSource, SourceListing } from '../../providers/contract.ts';
import type { TryLater } from '../../providers/faults.ts';
import { openFocusFolder } from '../../providers/focus/folder.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { readSource, type AccountSource } from '../accounts/store.ts';
import { openConnector } from '../connector/process.ts';
import { sampleInventory, sampleSource } from '../samples/source.ts';
import { uploadedSource } from '../uploads/source.ts';
import type { OfAccount } from '../uploads/store.ts';
import { inWorkspace } from './bills/downloads.ts';
import { warnOfPassedOver } from './bills/gaps.ts';
import { syncBills, type Found, type SyncDeps, type SyncJob, type SyncResult } from './bills/run.ts';
import { listCheckedMonths, warnOfImplausible } from './implausible.ts';
import { syncInventory, type ListInventory } from './inventory.ts';
import {
  keepSourceState,
  listDoubleBilling,
  readSourceState,
  storeResealed,
  warnOfDoubles,
  type KnownSource,
} from './source-store.ts';
import { listRepairs, warnOfRepairs } from './repair-warnings.ts';
import type { SyncProgress } from './store.ts';

/** Observes and aborts a sync. */
type SyncWatch = Pick<SyncJob, 'signal' | 'onProgress' | 'onReplaced'>;

/** Result of a sync of an account. */
export interface AccountResult extends SyncResult {
  /** Absent: not due, or the source has no inventory. */
  inventory?: 'listed';
  /** For readers of the costs, one sentence each; absent: none. */
  warnings?: readonly string[];
  /** The bills are up to date, but the provider requested a later retry of the inventory. */
  later?: TryLater;
}

/** Syncs an account, bills first, then inventory, without updating its sync status. The next listing uses this one's memo only
 *  if everything in this one was loaded.
 *  @throws {AppError} NOT_FOUND when the account does not exist; VALIDATION_ERROR when its bills cannot be loaded
 *  @throws {TryLater} when its provider requests a later retry, or is unreachable */
export async function syncAccount(
  deps: SyncDeps,
  scope: OrgScope,
  accountId: string,
  watch: SyncWatch,
): Promise<AccountResult> {
  const account = await readSource(deps.db, scope, accountId);
  const known = await readSourceState(deps.db, scope, accountId);
  if (!account || !known) throw notFound('Account', accountId);
  return inWorkspace(deps.config.dataDir, accountId, async (workspace) => {
    const isSample = account.sample !== null;
    const source = await openSource(deps, { scope, accountId }, account, watch.signal);
    try {
      const { resealed } = source;
      if (resealed && account.sealed)
        await storeResealed(deps.db, scope, accountId, { sealed: account.sealed, resealed });
      return await syncSource(deps, scope, { accountId, isSample, known, source, workspace, watch });
    } finally {
      await source.stop();
    }
  });
}

interface OpenedAccount {
  readonly accountId: string;
  readonly isSample: boolean;
  readonly known: KnownSource;
  readonly source: OpenSource;
  readonly workspace: SyncJob['workspace'];
  readonly watch: SyncWatch;
}

async function syncSource(
  deps: SyncDeps,
  scope: OrgScope,
  { source, workspace, watch, ...account }: OpenedAccount,
): Promise<AccountResult> {
  const { accountId, isSample, known } = account;
  let latest: SyncProgress = { phase: 'listing', percent: 0, rows: 0 };
  const onProgress = (progress: SyncProgress) => watch.onProgress((latest = progress));
  const seen: { listing: Omit<SourceListing, 'files'> | null; found: Found } = {
    listing: null,
    found: { passedOver: known.passedOver, unreadable: [], warnings: [] },
  };
  const onListed: SyncJob['onListed'] = (listing) => void (seen.listing = listing);
  const onFound: SyncJob['onFound'] = (found) => void (seen.found = found);
  const { memo, passedOver } = known;
  const given = { accountId, isSample, workspace, source: source.costs, memo, passedOver };
  const job = { ...watch, ...given, onListed, onFound, onProgress };
  // A problem with the bills does not stop the inventory.
  const bills = await inSpan('sync bills', {}, () => syncBills(deps, scope, job)).catch((error: unknown) => {
    if (error instanceof AppError && !watch.signal.aborted) return error;
    throw error;
  });
  const listed = {
    accountId,
    list: source.inventory,
    folder: workspace.folder,
    inventoryAt: known.inventoryAt,
    signal: watch.signal,
    onBegin: () => onProgress({ ...latest, phase: 'inventory', percent: 95 }),
  };
  const inventory = await inSpan('sync inventory', {}, () => syncInventory(deps, scope, listed));
  const inventoryWarnings = inventory.warnings ?? known.inventoryWarnings;
  const { listing, found } = seen;
  const warnings = listing && [
    ...listing.warnings,
    ...warnOfPassedOver(found.passedOver),
    ...found.warnings,
    ...warnOfImplausible(await listCheckedMonths(deps.db, scope, accountId), dayOf(deps.clock.now())),
    ...warnOfRepairs(await listRepairs(deps.db, scope, accountId)),
    ...inventoryWarnings,
    ...warnOfDoubles(await listDoubleBilling(deps.pool, scope, accountId)),
  ];
  await keepSourceState(deps.db, scope, accountId, {
    of: known.of,
    memo: listing && !(bills instanceof AppError) ? listing.memo : memo,
    inventoryAt: inventory.isListed ? deps.clock.now() : known.inventoryAt,
    inventoryWarnings,
    passedOver: found.passedOver,
    unreadable: found.unreadable,
    warnings,
  });
  if (bills instanceof AppError) throw bills;
  const { isListed, later } = inventory;
  return {
    ...bills,
    ...(warnings?.length && { warnings }),
    ...(isListed && { inventory: 'listed' }),
    ...(later && { later }),
  };
}

/** Source of an account's bills and inventory during a sync. */
interface OpenSource {
  readonly costs: CostSource;
  /** Credentials re-encrypted with the current key, if they were encrypted with an old one. */
  readonly resealed: Uint8Array<ArrayBuffer> | null;
  readonly inventory: ListInventory | null;
  /** Ends the process that holds the credentials. */
  stop(): Promise<void>;
}

/** Opens sample bills, uploaded files, a local folder, or a process that connects to the account's cloud.
 *  @throws {AppError} VALIDATION_ERROR when folder, credentials or settings are invalid */
async function openSource(
  deps: SyncDeps,
  of: OfAccount,
  account: AccountSource,
  signal: AbortSignal,
): Promise<OpenSource> {
  const { config } = deps;
  const { isUploaded, path, provider, settings, sealed, trustExternalId, sample } = account;
  const inServer = { resealed: null, inventory: null, stop: async () => {} };
  if (sample) {
    const today = dayOf(deps.clock.now());
    return { ...inServer, costs: sampleSource(sample, today), inventory: sampleInventory(sample.provider, today) };
  }
  if (isUploaded) return { ...inServer, costs: uploadedSource(deps, of) };
  if (path !== '') {
    return { ...inServer, costs: await openFocusFolder(focusRootOf(config.focusRoot, of.scope.organizationId), path) };
  }
  if (!sealed) throw invalid`The account has no credentials${fix}send them with ${operation('PATCH /accounts/{id}')}`;
  const secret = { sealed, rowId: of.accountId, keys: config.encryptionKeys };
  const connector = await openConnector({ provider, settings, trustExternalId, ...secret }, { config, signal });
  return {
    costs: {
      isInPlace: false,
      list: (memo) => connector.ask('list', { memo }),
      async fetch(file, folder, ends) {
        const abandon = () => void connector.ask('abandon', null).catch(() => {});
        ends.addEventListener('abort', abandon, { once: true });
        try {
          return await connector.ask('fetch', { file, folder });
        } finally {
          ends.removeEventListener('abort', abandon);
        }
      },
    },
    resealed: connector.resealed && Uint8Array.from(connector.resealed),
    inventory: (folder) => connector.ask('inventory', { folder }),
    stop: () => connector.stop(),
  };
}
