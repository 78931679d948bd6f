import type { Prisma } from '../../../prisma/generated/client/client.ts';
import type { AccountStatus, CloudProvider, SyncStatus } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { isContended } from '../../kit/database/away.ts';
import { repeated } from '../../kit/database/transaction.ts';
import { AppError, conflict, fix, operation } from '../../kit/errors/errors.ts';
import { requireById } from '../../kit/ids.ts';
import type { PageRequest } from '../../kit/page.ts';
import type { SortBy } from '../../kit/sort.ts';
import type { AuditAction } from '../../tenancy/audit/actions.ts';
import { type Actor, writeAudit } from '../../tenancy/audit/store.ts';
import { nextChange } from '../../tenancy/accounts/about.ts';
import type { OrgScope, Viewer } from '../../tenancy/auth/scope.ts';
import { markAfterCancel, markQueued, requestCancel } from '../sync/store.ts';
import { type accountSortFields, orderOf } from './input.ts';
import { purgeAccount } from './purge.ts';
import { type Account, findAccount, forgetListing, listAccounts, selectAccount, updateAccountRow } from './store.ts';

/** Dependencies of account changes. */
export type AccountDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'queue'>;

/** Filters of an account list; null: any, except for `status`. */
interface ListInput {
  provider?: readonly CloudProvider[] | null;
  /** Null: connected accounts. */
  status?: readonly AccountStatus[] | null;
  syncStatus?: readonly SyncStatus[] | null;
  sortBy?: SortBy<typeof accountSortFields> | null;
}

/** Returns a page of the selected fields of accounts in the caller's scope, newest first; disconnected ones only if `status`
 *  includes them. */
export async function pageAccounts<Select extends Prisma.AccountSelect>(
  deps: Pick<Deps, 'db'>,
  scope: OrgScope,
  input: ListInput,
  page: PageRequest & { select: Select },
) {
  const filter = {
    // Deduplicated: a client may repeat a value more often than a query allows parameters.
    providers: input.provider ? [...new Set(input.provider)] : null,
    statuses: [...new Set(input.status ?? (['connected'] as const))],
    syncStatuses: input.syncStatus ? [...new Set(input.syncStatus)] : null,
    orderBy: orderOf(input.sortBy ?? null),
  };
  return listAccounts(deps.db, scope, filter, page);
}

/** Returns an account in the caller's scope.
 *  @throws {AppError} NOT_FOUND, the same for an unknown id, one of another organization and one outside the scope */
export function requireAccount(deps: { readonly db: Db }, scope: OrgScope, id: string): Promise<Account> {
  return requireById('Account', id, () => findAccount(deps.db, scope, id));
}

/** Returns the selected fields of an account in the caller's scope.
 *  @throws {AppError} NOT_FOUND */
export function readAccount(
  deps: Pick<Deps, 'db'>,
  scope: OrgScope,
  id: string,
  query: Parameters<typeof selectAccount>[3],
) {
  return requireById('Account', id, () => selectAccount(deps.db, scope, id, query));
}

/** Delay, in milliseconds, of the job that finishes a purge if the server is killed during it. */
const finishPurgeMs = 60_000;

/** Disconnects an account: destroys its credentials and stops its syncs. Its history is kept, unless `purge` deletes it with
 *  all data of the account.
 *  @throws {AppError} NOT_FOUND; SERVICE_UNAVAILABLE if that data is deleted later */
export async function disconnectAccount(
  deps: AccountDeps & Pick<Deps, 'pool'>,
  viewer: Viewer,
  actor: Actor,
  { id, purge }: { id: string; purge: boolean },
): Promise<void> {
  const account = await requireAccount(deps, viewer.scope, id);
  const job = { organizationId: viewer.scope.organizationId, accountId: id };
  const runAt = new Date(deps.clock.now().getTime() + finishPurgeMs);
  const disconnect = async (tx: Db) => {
    if (purge) await deps.queue.add('purge_account', job, { within: tx, runAt });
    await requestCancel(tx, viewer.scope, id, deps.clock.now());
    await updateAccountRow(tx, viewer.scope, id, {
      status: 'disconnected',
      credentials: null,
      credentialsUpdatedAt: null,
      updatedAt: nextChange(account, deps.clock.now()),
    });
    await forgetListing(tx, viewer.scope, id);
    const details = { name: account.name, purge };
    await record(tx, actor, { action: 'account_disconnected', id: id, details });
  };
  await repeated(() => deps.db.$transaction(disconnect));
  await deps.queue.remove('sync', job);
  if (!purge) return;
  await deps.queue.remove('evaluate', job);
  await purgeAccount(deps, viewer.scope, id).catch((error: Error) => {
    throw isContended(error) ? deletedLater(error) : error;
  });
  await deps.queue.remove('purge_account', job);
}

/** The error for a purge that concurrent changes prevented; a queued job completes it. */
function deletedLater(cause: Error): AppError {
  const text = 'The account is disconnected; its data will be deleted within a few minutes';
  return new AppError('SERVICE_UNAVAILABLE', text, { cause });
}

/** Queues a sync, unless one is already queued for now or running. One that is delayed starts now; one after a cancelled one that
 *  still runs starts when that has ended.
 *  @throws {AppError} NOT_FOUND; CONFLICT when the account is disconnected */
export async function requestSync(deps: AccountDeps, viewer: Viewer, actor: Actor, id: string): Promise<Account> {
  const account = await requireAccount(deps, viewer.scope, id);
  if (account.status === 'disconnected')
    throw conflict`Account "${id}" is disconnected${fix}reconnect it with ${operation('PATCH /accounts/{id}')} before a sync`;
  await deps.db.$transaction(async (tx) => {
    const now = deps.clock.now();
    const isQueued =
      (await markQueued(tx, viewer.scope, id, { now })) || (await markAfterCancel(tx, viewer.scope, id, now));
    if (!isQueued) return;
    await record(tx, actor, { action: 'sync_requested', id: id });
    await queueSync(deps, viewer.scope, id, tx);
  });
  return requireAccount(deps, viewer.scope, id);
}

/** Queues the job of a sync that this transaction marks as queued: neither exists without the other. */
export function queueSync(
  { queue }: Pick<Deps, 'queue'>,
  { organizationId }: OrgScope,
  accountId: string,
  within: Db,
): Promise<void> {
  return queue.add('sync', { organizationId, accountId }, { within });
}

/** Cancels a queued or running sync. Months that are already loaded are kept.
 *  @throws {AppError} NOT_FOUND; CONFLICT when none is queued or running */
export async function cancelSync(deps: AccountDeps, viewer: Viewer, actor: Actor, id: string): Promise<void> {
  await requireAccount(deps, viewer.scope, id);
  const found = await deps.db.$transaction(async (tx) => {
    const state = await requestCancel(tx, viewer.scope, id, deps.clock.now());
    if (state !== 'none') await record(tx, actor, { action: 'sync_cancelled', id: id });
    return state;
  });
  if (found === 'none') throw conflict`Account "${id}" has no queued or running sync`;
  if (found === 'queued')
    await deps.queue.remove('sync', { organizationId: viewer.scope.organizationId, accountId: id });
}

/** Writes an account action to the audit log. */
export async function record(
  db: Db,
  actor: Actor,
  { action, id, details }: { action: AuditAction; id: string; details?: Prisma.InputJsonObject },
): Promise<void> {
  const entry = { action, resourceType: 'account', resourceId: id, accountId: id } as const;
  await writeAudit(db, actor, details ? { ...entry, details } : entry);
}
