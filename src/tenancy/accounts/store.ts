import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';
import type { OrgScope } from '../auth/scope.ts';

/** Prisma selection of an account. */
export type AccountSelection = Pick<Prisma.AccountDefaultArgs, 'select' | 'include'>;

/** Reads the selected columns of those accounts that are in the scope. */
export function selectAccountsById(db: Db, scope: OrgScope, ids: readonly string[], query: AccountSelection) {
  const { organizationId, accountIds } = scope;
  const inScope = accountIds === null ? {} : { id: { in: [...accountIds] } };
  return db.account.findMany({ ...query, where: { organizationId, AND: [inScope, { id: { in: [...ids] } }] } });
}

/** Tables of records about one account, with their order in an account's relations: newest first. */
const newestFirst = {
  alert_rules: Prisma.sql`r.created_at DESC, r.id DESC`,
  anomalies: Prisma.sql`r.start_date DESC, r.detected_at DESC, r.id DESC`,
  budgets: Prisma.sql`r.created_at DESC, r.id DESC`,
  recommendations: Prisma.sql`r.created_at DESC, r.id DESC`,
  tag_policies: Prisma.sql`r.created_at DESC, r.id DESC`,
};

/** A table of records about one account. */
export type AccountTable = keyof typeof newestFirst;

/** An account, and the maximum number of its records. */
export interface AccountPage {
  readonly accountId: string;
  readonly first: number;
}

/** Lists the ids of the newest records about accounts in the scope, in the order of the pages. The database limits
 *  each account's list. */
export async function listNewestIds(
  db: Db,
  { organizationId, accountIds }: OrgScope,
  table: AccountTable,
  pages: readonly AccountPage[],
): Promise<string[][]> {
  const seen = pages.map(({ accountId }) => accountId).filter((id) => accountIds === null || accountIds.includes(id));
  const most = Math.max(...pages.map(({ first }) => first));
  const order = newestFirst[table];
  const rows = await db.$queryRaw<{ accountId: string; id: string }[]>`/* listNewestIds */
    SELECT a.id AS "accountId", r.id FROM accounts a CROSS JOIN LATERAL (
      SELECT r.id, row_number() OVER (ORDER BY ${order}) AS place FROM ${Prisma.raw(table)} r
      WHERE r.organization_id = a.organization_id AND r.account_id = a.id ORDER BY ${order} LIMIT ${most}
    ) r
    WHERE a.organization_id = ${organizationId}::uuid AND a.id = ANY(${[...new Set(seen)]}::uuid[]) ORDER BY r.place`;
  const ids = Map.groupBy(rows, ({ accountId }) => accountId);
  return pages.map(({ accountId, first }) => (ids.get(accountId) ?? []).slice(0, first).map(({ id }) => id));
}
