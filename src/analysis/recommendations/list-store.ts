import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';
import type { PageRequest } from '../../kit/page.ts';
import type { Sort } from '../../kit/sort.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { currencies, ofCurrency, rowConditions, type RecommendationFilter } from './conditions.ts';
import { shown, withResource, type RecommendationRow } from './store.ts';

/** Fields that recommendations can be sorted by, as REST spells them. */
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

/** As many as are sorted in a few milliseconds. */
const few = 2_000;

/** Which recommendations are listed. */
export interface ListQuestion {
  readonly filter: RecommendationFilter;
  readonly sort: SortedBy;
  readonly page: PageRequest;
  /** How many there are. */
  readonly total: number;
}

/** A page of recommendations, the newest first unless sorted. Evidence and scripts are long, so that the page is found by an
 *  index alone before they are read. */
export async function listRecommendations(
  db: Db,
  scope: OrgScope,
  question: ListQuestion,
): Promise<RecommendationRow[]> {
  if (question.total === 0) return [];
  return db.$queryRaw<RecommendationRow[]>`/* listRecommendations */ WITH page AS MATERIALIZED (
      SELECT r.id, row_number() OVER () AS place FROM (${pageOf(scope, question)}) r
    )
    SELECT ${shown}, null AS scripts FROM page JOIN recommendations r ON r.id = page.id ${withResource}
    WHERE r.organization_id = ${scope.organizationId}::uuid ORDER BY page.place`;
}

/** Ids of a page in their order. */
function pageOf(scope: OrgScope, { filter, sort, page, total }: ListQuestion): Prisma.Sql {
  const cut = Prisma.sql`ORDER BY ${orderOf(sort)} LIMIT ${page.take} OFFSET ${page.skip}`;
  const byCurrency = (rest: Prisma.Sql) => Prisma.sql`SELECT r.id FROM ${currencies(scope, filter)} CROSS JOIN LATERAL (
      SELECT r.*, k.rate FROM recommendations r WHERE ${ofCurrency(scope, filter)} ${rest}) r ${cut}`;
  if (sort?.field === 'estimated_monthly_savings') {
    // Within a currency an index has the order by money: no more is read than could be on the page.
    const way = wayOf(sort);
    return byCurrency(
      Prisma.sql`ORDER BY r.estimated_monthly_savings ${way}, r.id ${way} LIMIT ${page.skip + page.take}`,
    );
  }
  if (filter.minSavings === null && sort?.field !== 'realized_monthly_savings')
    return Prisma.sql`SELECT r.id FROM recommendations r WHERE ${rowConditions(scope, filter)} ${cut}`;
  // Few are found by that index; of many the index of all has the newest first.
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
  title: Prisma.sql`r.title`,
  type: Prisma.sql`r.type`,
};

function orderOf(sort: SortedBy): Prisma.Sql {
  const { field } = sort ?? { field: 'created_at' };
  const way = wayOf(sort);
  // What has no value stands last either way; what always has one is in the order of its index.
  const nulls = field.endsWith('_savings') || field === 'status_changed_at' ? Prisma.sql`NULLS LAST` : Prisma.empty;
  return Prisma.sql`${sorted[field]} ${way} ${nulls}, r.id ${way}`;
}

function wayOf(sort: SortedBy): Prisma.Sql {
  return sort?.direction === 'asc' ? Prisma.sql`ASC` : Prisma.sql`DESC`;
}
