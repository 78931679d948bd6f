import type { Pool } from 'pg';
import { Prisma } from '../../../prisma/generated/client/client.ts';
import { keptIdle } from '../../kit/database/transaction.ts';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import type { PageRequest } from '../../kit/page.ts';
import type { Day } from '../../kit/time/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { convertedCost, monthCurrenciesOf } from '../currencies.ts';
import type { ResourceFilter } from './input.ts';
import { hasText, tagTerms } from './search.ts';

/** An inventory resource of an organization. */
export interface InventoryResource {
  readonly id: string;
  readonly accountId: string;
  readonly provider: string;
  readonly nativeId: string;
  readonly name: string;
  readonly resourceType: string;
  readonly service: string;
  readonly region: string;
  readonly tags: Record<string, string>;
  readonly metadata: Record<string, unknown>;
  /** Exact decimal. */
  readonly costLast30Days: string;
  readonly currency: string;
  /** See `month-costs.ts`. */
  readonly monthCosts: unknown;
  readonly firstSeenAt: Day;
  readonly lastSeenAt: Day;
  readonly goneAt: Date | null;
}

/** A filter with the terms of its tag, from `termsOf`. */
export type ResolvedFilter = ResourceFilter & { readonly terms: readonly string[] | null };

const shown = Prisma.sql`r.id, r.account_id AS "accountId", r.provider, r.native_id AS "nativeId", r.name,
  r.resource_type AS "resourceType", r.service, r.region, r.tags, r.metadata, r.cost_last_30_days::text AS "costLast30Days",
  r.currency, r.month_costs AS "monthCosts", to_char(r.first_seen_at, 'YYYY-MM-DD') AS "firstSeenAt", to_char(r.last_seen_at, 'YYYY-MM-DD') AS "lastSeenAt",
  r.gone_at AS "goneAt"`;

/** An account in the caller's scope, with the columns that inventory answers depend on. */
export interface InventoryAccount {
  readonly id: string;
  readonly name: string;
  readonly version: number;
}

/** Returns the requested accounts in the caller's scope, connected or not. */
export async function visibleAccounts(
  pool: Pool,
  scope: OrgScope,
  asked: readonly string[] | null,
): Promise<InventoryAccount[]> {
  const { rows } = await pool.query<InventoryAccount>(
    `/* visibleAccounts */ SELECT id, name, inventory_version AS version FROM accounts WHERE organization_id = $1
     AND ($2::uuid[] IS NULL OR id = ANY($2::uuid[])) AND ($3::uuid[] IS NULL OR id = ANY($3::uuid[])) ORDER BY id`,
    [scope.organizationId, scope.accountIds, asked],
  );
  return rows;
}

/** Selected fields of resources. */
export type ResourceSelection = Pick<Prisma.InventoryResourceDefaultArgs, 'select'>;

/** Returns the selected fields of one resource in the caller's scope, gone or not. */
export async function selectResource(
  { db, pool }: Pick<Deps, 'db' | 'pool'>,
  scope: OrgScope,
  id: string,
  query: ResourceSelection,
) {
  const accounts = (await visibleAccounts(pool, scope, null)).map((account) => account.id);
  const { organizationId } = scope;
  return db.inventoryResource.findFirst({ ...query, where: { organizationId, accountId: { in: accounts }, id } });
}

/** Returns the selected fields of resources by id in the caller's scope, gone or not. */
export async function selectResourcesById(
  { db, pool }: Pick<Deps, 'db' | 'pool'>,
  scope: OrgScope,
  ids: readonly string[],
  { select }: ResourceSelection,
) {
  // The index begins with the account.
  const accounts = scope.accountIds ?? (await visibleAccounts(pool, scope, null)).map((account) => account.id);
  const { organizationId } = scope;
  return db.inventoryResource.findMany({
    select: { ...select, id: true },
    where: { organizationId, accountId: { in: [...accounts] }, id: { in: [...ids] } },
  });
}

/** Identifies a resource in a record. */
export interface ResourceName {
  readonly accountId: string;
  /** Unique within the account. */
  readonly resourceId: bigint;
}

/** The columns that identify a resource. */
export const nameColumns = { accountId: true, resourceId: true } as const satisfies Record<keyof ResourceName, true>;

/** Returns the selected fields of the named resources in the caller's scope, gone or not. */
export async function selectResources(
  db: Db,
  { organizationId, accountIds }: OrgScope,
  names: readonly ResourceName[],
  query: ResourceSelection,
) {
  const seen = names.filter(({ accountId }) => accountIds === null || accountIds.includes(accountId));
  if (seen.length === 0) return [];
  const byAccount = [...Map.groupBy(seen, ({ accountId }) => accountId)].map(([accountId, own]) => ({
    accountId,
    resourceId: { in: [...new Set(own.map(({ resourceId }) => resourceId))] },
  }));
  return db.inventoryResource.findMany({ ...query, where: { organizationId, OR: byAccount } });
}

/** Number of rows that can be sorted in a few milliseconds. */
const few = 20_000;

/** Parameters of a resource list. */
export interface ListQuestion {
  readonly accounts: readonly string[];
  readonly filter: ResolvedFilter;
  readonly page: PageRequest;
  /** Total number of resources. */
  readonly total: number;
}

/** Returns the identities of a page of resources. Each account's part is read through an index in the list's order, so that
 *  hundreds of thousands of resources need not be sorted. If a tag or text filter leaves only a few, they are sorted
 *  instead, because that index might find them last. */
export async function listResources(pool: Pool, scope: OrgScope, question: ListQuestion): Promise<ResourceName[]> {
  if (question.total === 0) return [];
  const rows = await run<{ account_id: string; resource_id: string }>(
    pool,
    Prisma.sql`/* listResources */ ${pageOf(scope, question)}`,
  );
  return rows.map((row) => ({ accountId: row.account_id, resourceId: BigInt(row.resource_id) }));
}

/** Rows per fetch when all are read. */
const fetched = 500;

/** Streams all resources of a question in the list's order, from one snapshot. Holds its connection until the last row is
 *  taken or the consumer stops. */
export async function* streamResources(
  pool: Pool,
  scope: OrgScope,
  question: Omit<ListQuestion, 'page'>,
): AsyncGenerator<InventoryResource> {
  if (question.total === 0) return;
  const page = { skip: 0, take: question.total };
  const sql = Prisma.sql`DECLARE resources NO SCROLL CURSOR FOR /* streamResources */ SELECT ${shown}
    FROM (SELECT p.*, row_number() OVER () AS place FROM (${pageOf(scope, { ...question, page })}) p) page
    JOIN inventory_resources r USING (account_id, resource_id)
    WHERE r.organization_id = ${scope.organizationId} ORDER BY page.place`;
  const client = await pool.connect();
  let broken: boolean | Error = true;
  try {
    await client.query(`BEGIN READ ONLY; ${keptIdle}`);
    await client.query(sql.text, sql.values);
    for (;;) {
      const { rows } = await client.query<InventoryResource>(`/* streamResources */ FETCH ${fetched} FROM resources`);
      yield* rows;
      if (rows.length < fetched) break;
    }
    broken = false;
  } finally {
    // If the consumer stopped early or failed, the transaction is still open: it ends with its connection.
    if (!broken) await client.query('COMMIT');
    client.release(broken);
  }
}

/** Selects the resources of a page, in order. */
function pageOf(scope: OrgScope, { accounts, filter, page, total }: ListQuestion): Prisma.Sql {
  const { field, direction } = filter.sort ?? { field: 'id', direction: 'desc' };
  const [key, way] = [Prisma.raw(field === 'name' ? 'lower(r.name)' : `r.${field}`), Prisma.raw(direction)];
  const cut = Prisma.sql`LIMIT ${page.take} OFFSET ${page.skip}`;
  const first = Prisma.sql`ORDER BY ${key} ${way}, r.id ${way} LIMIT`;
  const most = page.skip + page.take;
  const isFew = looksAtRows(filter) && total <= few;
  const columns = Prisma.sql`r.account_id, r.resource_id, r.id, r.currency, r.month_costs, ${key} AS sorted`;
  const found = Prisma.sql`SELECT ${columns} FROM inventory_resources r
    WHERE r.account_id = ANY(${accounts}::uuid[]) AND ${conditions(scope, filter)}`;
  const kinds = Prisma.sql`inventory_counts c WHERE c.organization_id = ${scope.organizationId} AND c.account_id = ANY(${accounts}::uuid[])`;
  if (field === 'cost_last_30_days') {
    const rest = isFew
      ? Prisma.sql`JOIN (${found} OFFSET 0) p USING (account_id, currency)`
      : Prisma.sql`CROSS JOIN LATERAL (SELECT ${columns} FROM inventory_resources r
          WHERE r.account_id = k.account_id AND r.currency = k.currency AND ${conditions(scope, filter)}
          ${first} CASE WHEN k.is_even THEN ${most}::bigint END) p`;
    return Prisma.sql`SELECT p.account_id, p.resource_id FROM ${monthCurrenciesOf(scope, kinds)} k ${rest}
      ORDER BY ${convertedCost('p', 'sorted')} ${way} NULLS LAST, k.currency, p.sorted ${way}, p.id ${way} ${cut}`;
  }
  const ordered = Prisma.sql`ORDER BY p.sorted ${way}, p.id ${way} ${cut}`;
  if (isFew) return Prisma.sql`SELECT p.account_id, p.resource_id FROM (${found} OFFSET 0) p ${ordered}`;
  // Citus supports a limit per account only if the accounts come from a table that is distributed like the resources.
  return Prisma.sql`SELECT p.account_id, p.resource_id FROM (SELECT DISTINCT account_id AS id FROM ${kinds}) a CROSS JOIN LATERAL (
      SELECT ${columns} FROM inventory_resources r WHERE r.account_id = a.id AND ${conditions(scope, filter)} ${first} ${most}
    ) p ${ordered}`;
}

/** Number of resources of a type and region in an account. */
export interface ResourceCount {
  readonly account_id: string;
  readonly resource_type: string;
  readonly region: string;
  readonly count: number;
}

/** Counts resources by type, region and account. Only filters by tag or text scan the resources themselves. */
export async function countResources(
  pool: Pool,
  scope: OrgScope,
  { accounts, filter }: Pick<ListQuestion, 'accounts' | 'filter'>,
): Promise<ResourceCount[]> {
  const counted = looksAtRows(filter)
    ? Prisma.sql`count(*)::int AS count FROM inventory_resources r WHERE ${conditions(scope, filter)}`
    : Prisma.sql`sum(r.resources)::int AS count FROM inventory_counts r
        WHERE ${kindConditions(scope, filter, Prisma.sql`NOT r.is_gone`)}`;
  return run<ResourceCount>(
    pool,
    Prisma.sql`/* countResources */ SELECT r.account_id, r.resource_type, r.region, ${counted}
AND r.account_id = ANY(${accounts}::uuid[]) GROUP BY r.account_id, r.resource_type, r.region`,
  );
}

/** Returns conditions on columns that both the resources and their counts have. */
function kindConditions(scope: OrgScope, filter: ResourceFilter, isThere: Prisma.Sql): Prisma.Sql {
  return Prisma.join(
    [
      Prisma.sql`r.organization_id = ${scope.organizationId}`,
      ...(filter.includeGone ? [] : [isThere]),
      ...oneOf('r.provider', filter.providers),
      ...oneOf('r.resource_type', filter.resourceTypes),
      ...oneOf('r.service', filter.services),
      ...oneOf('r.region', filter.regions),
    ],
    ' AND ',
  );
}

function conditions(scope: OrgScope, filter: ResolvedFilter): Prisma.Sql {
  const parts = [kindConditions(scope, filter, Prisma.sql`r.gone_at IS NULL`)];
  if (filter.terms) {
    const hasTag = Prisma.sql`r.tag_terms && ${filter.terms}::text[]`;
    parts.push(filter.tag?.isMissing ? Prisma.sql`NOT (${hasTag})` : hasTag);
  }
  if (filter.search) parts.push(hasText(filter.search));
  return Prisma.join(parts, ' AND ');
}

/** Returns the tag terms to look for: one per value or, without values, that of the key. A separate query, so that the
 *  list's plan can depend on how rare they are. */
export async function termsOf(pool: Pool, tag: ResourceFilter['tag']): Promise<string[] | null> {
  if (tag === null) return null;
  const { key, values } = tag;
  if (key.includes('\0')) return [];
  const pairs = (values ?? ['']).map((value) => ({ [key]: value }));
  const { rows } = await pool.query<{ term: string }>(
    `/* termsOf */ SELECT term FROM jsonb_array_elements($1::jsonb) AS asked(tags), ${tagTerms('asked.tags')}
     WHERE (strpos(term, chr(31)) > 0) = $2`,
    [JSON.stringify(pairs), values !== null],
  );
  return rows.map(({ term }) => term);
}

/** Returns whether a filter needs the resources themselves instead of the counts by kind. */
export function looksAtRows(filter: ResourceFilter): boolean {
  return filter.tag !== null || filter.search !== null;
}

/** Returns the condition that a column has one of the values. Uses equality for a single value, which
 *  preserves the order of an index that begins with the column. */
function oneOf(column: string, values: readonly string[] | null): Prisma.Sql[] {
  if (values === null) return [];
  const [only] = values;
  if (values.length === 1) return [Prisma.sql`${Prisma.raw(column)} = ${only}`];
  return [Prisma.sql`${Prisma.raw(column)} = ANY(${values}::text[])`];
}

/** Runs SQL unprepared, because the best plan depends on how rare the filter values are. */
async function run<Row extends object>(pool: Pool, sql: Prisma.Sql): Promise<Row[]> {
  const { rows } = await pool.query<Row>(sql.text, sql.values);
  return rows;
}
