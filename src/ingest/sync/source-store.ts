import type pg from 'pg';
import { z } from 'zod';
import { Prisma } from '../../../prisma/generated/client/client.ts';
import { grainCodes, rollups } from '../../engine/codebook.ts';
import type { Db } from '../../kit/db.ts';
import { monthAt, type Month } from '../../kit/time/period.ts';
import type { SourceMemo } from '../../providers/contract.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { PassedOver } from './loader/protocol.ts';

/** A file as of the last sync. */
export interface RememberedFile {
  key: string;
  token: string;
  /** Billing months it contains, `YYYY-MM`. */
  months: readonly string[];
}

/** State of an account's source from earlier syncs. */
interface SourceState {
  /** Memo of its last listing; null: none. */
  readonly memo: SourceMemo;
  /** When its inventory was last listed, and the gaps in it. */
  readonly inventoryAt: Date | null;
  readonly inventoryWarnings: readonly string[];
  /** Files that were not read, because they are not bills. */
  readonly passedOver: readonly PassedOver[];
}

/** The state, and the source it belongs to: the source may change during a sync. */
export interface KnownSource extends SourceState {
  readonly of: { readonly settings: Prisma.JsonValue; readonly credentialsUpdatedAt: Date | null };
}

const passedOverShape = z.object({ key: z.string(), name: z.string(), because: z.string() });

/** Reads the state of an account's source.
 *  @returns null when the account does not exist */
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
  const { bills = null, inventoryWarnings, passedOver } = kept;
  return {
    of,
    memo: bills,
    inventoryAt: sync?.inventoryAt ?? null,
    inventoryWarnings: Array.isArray(inventoryWarnings) ? inventoryWarnings.map(String) : [],
    passedOver: z.array(passedOverShape).safeParse(passedOver).data ?? [],
  };
}

/** Stores the state of a source after a sync, unless the account was disconnected or its source changed meanwhile.
 *  @param state.warnings warnings to show; null: unchanged */
export async function keepSourceState(
  db: Db,
  scope: OrgScope,
  accountId: string,
  state: KnownSource & { readonly unreadable: readonly string[]; readonly warnings: readonly string[] | null },
): Promise<void> {
  const { memo, inventoryAt, inventoryWarnings, passedOver, unreadable, warnings, of } = state;
  const account = {
    status: 'connected',
    settings: { equals: of.settings ?? {} },
    credentialsUpdatedAt: of.credentialsUpdatedAt,
  } as const;
  const isEmpty = memo === null && inventoryWarnings.length === 0 && passedOver.length === 0;
  // Memos of sources are JSON by contract.
  const kept = { bills: memo, inventoryWarnings, passedOver } as unknown as Prisma.InputJsonObject;
  await db.accountSync.updateMany({
    where: { accountId, organizationId: scope.organizationId, account },
    data: {
      sourceMemo: isEmpty ? Prisma.DbNull : kept,
      inventoryAt,
      unreadableFiles: [...unreadable],
      ...(warnings ? { warnings: [...warnings] } : {}),
    },
  });
}

/** Replaces credentials with their re-encrypted form, unless new ones were sent meanwhile. */
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

/** Lists the files of the last sync. */
export async function listSourceFiles(db: Db, scope: OrgScope, accountId: string): Promise<RememberedFile[]> {
  const rows = await db.sourceFile.findMany({
    where: { accountId, organizationId: scope.organizationId },
  });
  return rows.map((row) => ({
    key: row.key,
    token: row.token,
    months: row.periods.map(monthAt),
  }));
}

/** Upserts files that were read completely, and deletes removed ones. */
export async function rememberFiles(
  db: Db,
  scope: OrgScope,
  accountId: string,
  { read, removed }: { read: readonly RememberedFile[]; removed: readonly string[] },
): Promise<void> {
  const { organizationId } = scope;
  const keys = [...read.map((file) => file.key), ...removed];
  await db.sourceFile.deleteMany({
    where: { accountId, organizationId, key: { in: keys } },
  });
  await db.sourceFile.createMany({
    data: read.map((file) => ({
      accountId,
      organizationId,
      key: file.key,
      token: file.token,
      periods: file.months.map((month) => new Date(`${month}-01T00:00:00Z`)),
    })),
  });
}

/** Identity of a loaded billing month. */
export interface LoadedPeriod {
  sourceToken: string;
  contentDigest: string;
}

/** Returns the loaded billing months of an account. */
export async function loadedPeriods(db: Db, scope: OrgScope, accountId: string): Promise<Map<Month, LoadedPeriod>> {
  const rows = await db.billingPeriod.findMany({
    where: { accountId, organizationId: scope.organizationId },
    select: { period: true, sourceToken: true, contentDigest: true },
  });
  return new Map(rows.map(({ period, ...loaded }) => [monthAt(period), loaded]));
}

/** A sub-account that another account of the organization also bills, in the same billing months. */
interface DoubleBilling {
  readonly code: string;
  /** First and last of those months, `YYYY-MM`. */
  readonly first: string;
  readonly last: string;
}

/** Lists sub-accounts whose charges are in both this account and another one of the organization for the same billing months
 *  and billing account, so that they are the same charges. */
export async function listDoubleBilling(pool: pg.Pool, scope: OrgScope, accountId: string): Promise<DoubleBilling[]> {
  const monthly = `rollup = ${rollups.subAccount.code} AND grain = ${grainCodes.month}`;
  // Citus joins tables of several accounts only if one of them is read separately.
  const { rows } = await pool.query<DoubleBilling>(
    `/* listDoubleBilling */ WITH mine AS MATERIALIZED (
       SELECT id, code, billing_account_id FROM sub_accounts
       WHERE account_id = $1 AND organization_id = $2 AND billing_account_id <> ''
     ), shared AS MATERIALIZED (
       SELECT other.account_id, mine.id, mine.code FROM mine
       JOIN sub_accounts other ON other.id = mine.id AND other.billing_account_id = mine.billing_account_id
       WHERE other.organization_id = $2
         AND other.account_id = ANY(ARRAY(SELECT id FROM accounts WHERE organization_id = $2 AND id <> $1))
     ), months AS MATERIALIZED (
       SELECT sub_account_id, billing_period FROM cost_rollups
       WHERE account_id = $1 AND organization_id = $2 AND ${monthly} AND sub_account_id IN (SELECT id FROM shared)
     )
     SELECT s.code, to_char(min(m.billing_period), 'YYYY-MM') AS first, to_char(max(m.billing_period), 'YYYY-MM') AS last
     FROM shared s
     JOIN months m ON m.sub_account_id = s.id
     JOIN cost_rollups o ON o.account_id = s.account_id AND o.organization_id = $2 AND o.${monthly.replace(' AND ', ' AND o.')}
       AND o.sub_account_id = s.id AND o.billing_period = m.billing_period
     GROUP BY s.code ORDER BY s.code`,
    [accountId, scope.organizationId],
  );
  return rows;
}

const named = 5;

/** Returns one warning per double billing. Does not name the other account: the reader may not have access to it. */
export function warnOfDoubles(doubles: readonly DoubleBilling[]): string[] {
  const listed = doubles.slice(0, named).map(({ code, first, last }) => {
    const months = first === last ? first : `${first} to ${last}`;
    return `Sub-account "${code}" is also billed in another account of the organization, in ${months}: its charges count twice; disconnect one of the two and delete its data (purge)`;
  });
  const more = doubles.length - listed.length;
  const others = more === 1 ? '1 more sub-account is' : `${more} more sub-accounts are`;
  return more > 0 ? [...listed, `${others} billed twice`] : listed;
}
