import type { Pool } from 'pg';
import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import type { PageRequest } from '../../kit/page.ts';
import type { Day } from '../../kit/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { currenciesOf } from '../currencies.ts';
import type { ResourceFilter } from './input.ts';
import { hasText, tagTerms } from './search.ts';

/** Something that an organization owns at a provider. */
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
  /** A decimal, exact. */
  readonly costLast30Days: string;
  readonly currency: string;
  readonly firstSeenAt: Day;
  readonly lastSeenAt: Day;
  readonly goneAt: Date | null;
}

/** A filter with the terms of its tag, as `termsOf` has them. */
export type ResolvedFilter = ResourceFilter & { readonly terms: readonly string[] | null };

const shown = Prisma.sql`r.id, r.account_id AS "accountId", r.provider, r.native_id AS "nativeId", r.name,
  r.resource_type AS "resourceType", r.service, r.region, r.tags, r.metadata, r.cost_last_30_days::text AS "costLast30Days",
  r.currency, to_char(r.first_seen_at, 'YYYY-MM-DD') AS "firstSeenAt", to_char(r.last_seen_at, 'YYYY-MM-DD') AS "lastSeenAt",
  r.gone_at AS "goneAt"`;

/** An account of the caller's scope, as far as answers about the inventory depend on it. */
export interface InventoryAccount {
  readonly id: string;
  readonly name: string;
  readonly version: number;
}

/** Accounts of the caller's scope among those asked for, connected or not. */
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

/** What is asked of resources. */
export type ResourceSelection = Pick<Prisma.InventoryResourceDefaultArgs, 'select'>;

/** One resource of the caller's scope, gone or not, as far as it is selected. */
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

/** The resources among some ids that the caller's scope holds, gone or not, as far as they are selected. */
export async function selectResourcesById(
  { db, pool }: Pick<Deps, 'db' | 'pool'>,
  scope: OrgScope,
  ids: readonly string[],
  { select }: ResourceSelection,
) {
  // Their index begins with the account.
  const accounts = scope.accountIds ?? (await visibleAccounts(pool, scope, null)).map((account) => account.id);
  const { organizationId } = scope;
  return db.inventoryResource.findMany({
    select: { ...select, id: true },
    where: { organizationId, accountId: { in: [...accounts] }, id: { in: [...ids] } },
  });
}

/** How a record names a resource. */
export interface ResourceName {
  readonly accountId: string;
  /** Of the account's resources. */
  readonly resourceId: bigint;
}

/** The columns that name a resource. */
export const nameColumns = { accountId: true, resourceId: true } as const satisfies Record<keyof ResourceName, true>;

/** The resources of the caller's scope among those named, gone or not, as far as they are selected. */
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

/** As many as are sorted in a few milliseconds. */
const few = 20_000;

/** Which resources are listed. */
export interface ListQuestion {
  readonly accounts: readonly string[];
  readonly filter: ResolvedFilter;
  readonly page: PageRequest;
  /** How many there are. */
  readonly total: number;
}

/** The names of a page of resources. Each account's part of it is read by an index that has the list's order, so that an
 *  inventory of hundreds of thousands is not sorted; unless tag or text leave few of them, which that index might find last. */
export async function listResources(pool: Pool, scope: OrgScope, question: ListQuestion): Promise<ResourceName[]> {
  if (question.total === 0) return [];
  const rows = await run<{ account_id: string; resource_id: string }>(
    pool,
    Prisma.sql`/* listResources */ ${pageOf(scope, question)}`,
  );
  return rows.map((row) => ({ accountId: row.account_id, resourceId: BigInt(row.resource_id) }));
}

/** As many rows as are read at once, where all are. */
const fetched = 500;

/** All resources of a question in the list's order, as they were when the first was read. The connection that reads them is
 *  held until the last one is taken, or nobody wants more. */
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
    await client.query('BEGIN READ ONLY');
    await client.query(sql.text, sql.values);
    for (;;) {
      const { rows } = await client.query<InventoryResource>(`/* streamResources */ FETCH ${fetched} FROM resources`);
      yield* rows;
      if (rows.length < fetched) break;
    }
    broken = false;
  } finally {
    // Whoever stopped early, or failed, leaves a transaction behind: it ends with its connection.
    if (!broken) await client.query('COMMIT');
    client.release(broken);
  }
}

/** The resources of a page in their order. */
function pageOf(scope: OrgScope, { accounts, filter, page, total }: ListQuestion): Prisma.Sql {
  const { field, direction } = filter.sort ?? { field: 'id', direction: 'desc' };
  const [key, way] = [Prisma.raw(field === 'name' ? 'lower(r.name)' : `r.${field}`), Prisma.raw(direction)];
  const cut = Prisma.sql`LIMIT ${page.take} OFFSET ${page.skip}`;
  const most = Prisma.sql`ORDER BY ${key} ${way}, r.id ${way} LIMIT ${page.skip + page.take}`;
  const isFew = looksAtRows(filter) && total <= few;
  const columns = Prisma.sql`r.account_id, r.resource_id, r.id, r.currency, ${key} AS sorted`;
  const found = Prisma.sql`SELECT ${columns} FROM inventory_resources r
    WHERE r.account_id = ANY(${accounts}::uuid[]) AND ${conditions(scope, filter)}`;
  const kinds = Prisma.sql`inventory_counts c WHERE c.organization_id = ${scope.organizationId} AND c.account_id = ANY(${accounts}::uuid[])`;
  if (field === 'cost_last_30_days') {
    const rest = isFew
      ? Prisma.sql`JOIN (${found} OFFSET 0) p USING (account_id, currency)`
      : Prisma.sql`CROSS JOIN LATERAL (SELECT ${columns} FROM inventory_resources r
          WHERE r.account_id = k.account_id AND r.currency = k.currency AND ${conditions(scope, filter)} ${most}) p`;
    return Prisma.sql`SELECT p.account_id, p.resource_id FROM ${currenciesOf(scope, kinds)} k ${rest}
      ORDER BY p.sorted * k.rate ${way} NULLS LAST, k.currency, p.sorted ${way}, p.id ${way} ${cut}`;
  }
  const ordered = Prisma.sql`ORDER BY p.sorted ${way}, p.id ${way} ${cut}`;
  if (isFew) return Prisma.sql`SELECT p.account_id, p.resource_id FROM (${found} OFFSET 0) p ${ordered}`;
  // Citus limits per account only where the accounts come from a table that is distributed like the resources.
  return Prisma.sql`SELECT p.account_id, p.resource_id FROM (SELECT DISTINCT account_id AS id FROM ${kinds}) a CROSS JOIN LATERAL (
      SELECT ${columns} FROM inventory_resources r WHERE r.account_id = a.id AND ${conditions(scope, filter)} ${most}
    ) p ${ordered}`;
}

/** Resources of a type and region in an account. */
export interface ResourceCount {
  readonly account_id: string;
  readonly resource_type: string;
  readonly region: string;
  readonly count: number;
}

/** How many resources there are of each kind in each account. Only filters by tag and text look at the resources. */
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

/** Conditions that both the resources and their counts have columns for. */
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
  if (filter.terms) parts.push(Prisma.sql`r.tag_terms && ${filter.terms}::text[]`);
  if (filter.search) parts.push(hasText(filter.search));
  return Prisma.join(parts, ' AND ');
}

/** What the resources' own terms would be, of one tag per value; without values, the key's. Asked for apart, so that the
 *  list's plan goes by how rare they are. */
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

/** Whether a question cannot be counted by kind: it looks at the resources themselves. */
export function looksAtRows(filter: ResourceFilter): boolean {
  return filter.tag !== null || filter.search !== null;
}

/** A single value keeps the order of an index that begins with the column. */
function oneOf(column: string, values: readonly string[] | null): Prisma.Sql[] {
  if (values === null) return [];
  const [only] = values;
  if (values.length === 1) return [Prisma.sql`${Prisma.raw(column)} = ${only}`];
  return [Prisma.sql`${Prisma.raw(column)} = ANY(${values}::text[])`];
}

/** Without a prepared plan: the best one depends on how rare the values asked for are. */
async function run<Row extends object>(pool: Pool, sql: Prisma.Sql): Promise<Row[]> {
  const { rows } = await pool.query<Row>(sql.text, sql.values);
  return rows;
}
