import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { ResourceName } from '../../facts/inventory/run.ts';
import type { Db } from '../../kit/db.ts';
import type { PageRequest } from '../../kit/page.ts';
import type { Sort } from '../../kit/sort.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { RecommendationFilter } from './input.ts';
import { currencies, ofCurrency, ownership, rowConditions } from './store.ts';

/** Sort fields of recommendations, in REST spelling. */
export const recommendationSortFields = [
  'created_at',
  'updated_at',
  'status_changed_at',
  'estimated_monthly_savings',
  'realized_monthly_savings',
  'title',
  'type',
] as const;

type SortedBy = Sort<(typeof recommendationSortFields)[number]> | null;

/** Number of rows that can be sorted in a few milliseconds. */
const few = 2_000;

/** Parameters of a recommendation list. */
export interface ListQuestion {
  readonly filter: RecommendationFilter;
  readonly sort: SortedBy;
  readonly page: PageRequest;
  readonly total: number;
}

/** Returns the ids of a page of recommendations, newest first by default. Evidence and scripts are long, so only the
 *  ids are selected; the rows of the page are read afterwards. */
export async function listRecommendations(db: Db, scope: OrgScope, question: ListQuestion): Promise<string[]> {
  if (question.total === 0) return [];
  const page = await db.$queryRaw<{ id: string }[]>`/* listRecommendations */ ${pageOf(scope, question)}`;
  return page.map(({ id }) => id);
}

/** An inventory resource with the maximum number of its recommendations. */
export interface ResourcePage extends ResourceName {
  readonly first: number;
}

/** Lists the ids of the newest recommendations for resources, in request order. The limit per resource is applied in the
 *  database. */
export async function listIdsOfResources(db: Db, scope: OrgScope, pages: readonly ResourcePage[]): Promise<string[][]> {
  const accounts = pages.map(({ accountId }) => accountId);
  const resources = pages.map(({ resourceId }) => String(resourceId));
  const rows = await db.$queryRaw<(ResourceName & { id: string })[]>`/* listIdsOfResources */
    SELECT * FROM (
      SELECT r.id, r.account_id AS "accountId", r.resource_id AS "resourceId",
        row_number() OVER (PARTITION BY r.account_id, r.resource_id ORDER BY r.created_at DESC, r.id DESC) AS place
      FROM recommendations r
      WHERE ${ownership(scope)} AND (r.account_id, r.resource_id) IN (SELECT * FROM unnest(${accounts}::uuid[], ${resources}::bigint[]))
    ) r WHERE r.place <= ${Math.max(...pages.map(({ first }) => first))} ORDER BY r.place`;
  const keyOf = ({ accountId, resourceId }: ResourceName) => `${accountId} ${resourceId}`;
  const ids = Map.groupBy(rows, keyOf);
  return pages.map((page) => (ids.get(keyOf(page)) ?? []).slice(0, page.first).map(({ id }) => id));
}

/** Selects the ids of a page, in order. */
function pageOf(scope: OrgScope, { filter, sort, page, total }: ListQuestion): Prisma.Sql {
  const cut = Prisma.sql`ORDER BY ${orderOf(sort)} LIMIT ${page.take} OFFSET ${page.skip}`;
  const byCurrency = (rest: Prisma.Sql) => Prisma.sql`SELECT r.id FROM ${currencies(scope, filter)} CROSS JOIN LATERAL (
      SELECT r.*, k.rate FROM recommendations r WHERE ${ofCurrency(scope, filter)} ${rest}) r ${cut}`;
  if (sort?.field === 'estimated_monthly_savings') {
    // An index orders them by money within a currency, so no more is read than could be on the page.
    const way = wayOf(sort);
    return byCurrency(
      Prisma.sql`ORDER BY r.estimated_monthly_savings ${way}, r.id ${way} LIMIT ${page.skip + page.take}`,
    );
  }
  if (filter.minSavings === null && sort?.field !== 'realized_monthly_savings')
    return Prisma.sql`SELECT r.id FROM recommendations r WHERE ${rowConditions(scope, filter)} ${cut}`;
  // A few are found by that index; for many, the overall index has the newest first.
  if (total <= few) return byCurrency(Prisma.empty);
  return Prisma.sql`SELECT r.id FROM (SELECT r.*, k.rate FROM recommendations r JOIN ${currencies(scope, filter)}
      ON ${ofCurrency(scope, filter)}) r ${cut}`;
}

const sorted = {
  created_at: Prisma.sql`r.created_at`,
  updated_at: Prisma.sql`r.updated_at`,
  status_changed_at: Prisma.sql`r.status_changed_at`,
  estimated_monthly_savings: Prisma.sql`r.estimated_monthly_savings * r.rate`,
  realized_monthly_savings: Prisma.sql`r.realized_monthly_savings * r.rate`,
  title: Prisma.sql`lower(r.title)`,
  type: Prisma.sql`r.type`,
};

function orderOf(sort: SortedBy): Prisma.Sql {
  const { field } = sort ?? { field: 'created_at' };
  const way = wayOf(sort);
  // Rows without a value come last in both directions; other columns follow the order of their index.
  const nulls = field.endsWith('_savings') || field === 'status_changed_at' ? Prisma.sql`NULLS LAST` : Prisma.empty;
  // Without an exchange rate the order is that of the index, since each currency is limited separately.
  const own = field === 'estimated_monthly_savings' ? Prisma.sql`r.estimated_monthly_savings ${way},` : Prisma.empty;
  return Prisma.sql`${sorted[field]} ${way} ${nulls}, ${own} r.id ${way}`;
}

function wayOf(sort: SortedBy): Prisma.Sql {
  return sort?.direction === 'asc' ? Prisma.sql`ASC` : Prisma.sql`DESC`;
}
