import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { SyncStatus } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import type { SourceMemo } from '../../providers/contract.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { Retry } from './store.ts';

/** What is known of an account's source from its syncs before. */
export interface SourceState {
  /** Of its last listing; null: nothing. */
  readonly memo: SourceMemo;
  /** When its inventory was last listed, and what was missing in it. */
  readonly inventoryAt: Date | null;
  readonly inventoryWarnings: readonly string[];
}

/** What is known, and of which source: another one may be sent while it is read. */
export interface KnownSource extends SourceState {
  readonly of: { readonly settings: Prisma.JsonValue; readonly credentialsUpdatedAt: Date | null };
}

/** Reads what is known of an account's source.
 *  @returns null when there is no such account */
export async function readSourceState(db: Db, scope: OrgScope, accountId: string): Promise<KnownSource | null> {
  const row = await db.account.findFirst({
    where: { id: accountId, organizationId: scope.organizationId },
    select: {
      settings: true,
      credentialsUpdatedAt: true,
      sync: { select: { sourceMemo: true, inventoryAt: true } },
    },
  });
  if (!row) return null;
  const { sync, ...of } = row;
  const sourceMemo = sync?.sourceMemo ?? null;
  const kept = sourceMemo !== null && typeof sourceMemo === 'object' && !Array.isArray(sourceMemo) ? sourceMemo : {};
  const { bills = null, inventoryWarnings } = kept;
  return {
    of,
    memo: bills,
    inventoryAt: sync?.inventoryAt ?? null,
    inventoryWarnings: Array.isArray(inventoryWarnings) ? inventoryWarnings.map(String) : [],
  };
}

/** How often in a row an account's sync was tried again. */
export async function readRetries(db: Db, scope: OrgScope, accountId: string): Promise<number> {
  const where = { accountId, organizationId: scope.organizationId };
  return (await db.accountSync.findFirst({ where, select: { retries: true } }))?.retries ?? 0;
}

/** Keeps what a sync learned of its source, unless the account was disconnected or given another one meanwhile.
 *  @param state.warnings what the reader of the figures should know; null: as before */
export async function keepSourceState(
  db: Db,
  scope: OrgScope,
  accountId: string,
  state: KnownSource & { readonly warnings: readonly string[] | null },
): Promise<void> {
  const { memo, inventoryAt, inventoryWarnings, warnings, of } = state;
  const account = {
    status: 'connected',
    settings: { equals: of.settings ?? {} },
    credentialsUpdatedAt: of.credentialsUpdatedAt,
  } as const;
  const isEmpty = memo === null && inventoryWarnings.length === 0;
  // The sources' memos are JSON, as their contract says.
  const kept = { bills: memo, inventoryWarnings } as Prisma.InputJsonObject;
  await db.accountSync.updateMany({
    where: { accountId, organizationId: scope.organizationId, account },
    data: { sourceMemo: isEmpty ? Prisma.DbNull : kept, inventoryAt, ...(warnings ? { warnings: [...warnings] } : {}) },
  });
}

/** Puts credentials that were sealed anew in place of the old ones, unless others were sent meanwhile. */
export async function storeResealed(
  db: Db,
  scope: OrgScope,
  accountId: string,
  { sealed, resealed }: { sealed: Uint8Array; resealed: Uint8Array<ArrayBuffer> },
): Promise<void> {
  await db.account.updateMany({
    where: { id: accountId, organizationId: scope.organizationId, credentials: Uint8Array.from(sealed) },
    data: { credentials: resealed },
  });
}

/** An account as the schedule sees it. */
export interface ScheduledAccount {
  readonly id: string;
  readonly organizationId: string;
  readonly syncStatus: SyncStatus;
  /** Until when its queued sync waits, and how often in a row it was tried again; null: it waits for a worker alone. */
  readonly retry: Retry | null;
  /** Whether a provider is asked, over a network. */
  readonly isRemote: boolean;
}

/** Connected accounts of every organization, for the schedule, and those whose queued sync may have lost its job. */
export async function listForSchedule(db: Db): Promise<ScheduledAccount[]> {
  const rows = await db.account.findMany({
    where: { status: 'connected' },
    select: {
      id: true,
      organizationId: true,
      credentialsUpdatedAt: true,
      sync: { select: { status: true, retries: true, retryAt: true } },
    },
  });
  return rows.map(({ id, organizationId, credentialsUpdatedAt, sync }) => ({
    id,
    organizationId,
    syncStatus: sync?.status ?? 'never',
    retry: sync?.retryAt ? { at: sync.retryAt, count: sync.retries } : null,
    isRemote: credentialsUpdatedAt !== null,
  }));
}
