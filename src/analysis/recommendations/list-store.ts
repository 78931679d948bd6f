import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';
import type { PageRequest } from '../../kit/page.ts';
import type { Sort } from '../../kit/sort.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import {
  among,
  conditions,
  kindConditions,
  rate,
  rates,
  rowConditions,
  type RecommendationFilter,
} from './conditions.ts';
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

/** A page of recommendations, the newest first unless sorted. Evidence and scripts are long, so that the page is found by an
 *  index alone before they are read. */
export async function listRecommendations(
  db: Db,
  scope: OrgScope,
  { filter, sort }: { filter: RecommendationFilter; sort: SortedBy },
  page: PageRequest,
): Promise<RecommendationRow[]> {
  const found =
    sort?.field === 'estimated_monthly_savings'
      ? pageBySavings(scope, filter, { page, direction: sort.direction })
      : Prisma.sql`SELECT r.id FROM ${sort?.field === 'realized_monthly_savings' ? rates(scope, Prisma.sql`recommendations`) : among(scope, filter)}
          WHERE ${conditions(scope, filter)} ORDER BY ${orderOf(sort)} LIMIT ${page.take} OFFSET ${page.skip}`;
  return db.$queryRaw<RecommendationRow[]>`/* listRecommendations */ WITH page AS MATERIALIZED (
      SELECT r.id, row_number() OVER () AS place FROM (${found}) r
    )
    SELECT ${shown}, null AS scripts FROM page JOIN recommendations r ON r.id = page.id ${withResource}
    WHERE r.organization_id = ${scope.organizationId}::uuid ORDER BY page.place`;
}

/** Within each currency of an account an index has the order, so that no more is read than could be on the page. */
function pageBySavings(
  scope: OrgScope,
  filter: RecommendationFilter,
  { page, direction }: { page: PageRequest; direction: 'asc' | 'desc' },
): Prisma.Sql {
  const way = direction === 'asc' ? Prisma.sql`ASC` : Prisma.sql`DESC`;
  const least =
    filter.minSavings === null
      ? Prisma.empty
      : Prisma.sql`AND r.estimated_monthly_savings * k.rate >= ${filter.minSavings}::numeric`;
  return Prisma.sql`SELECT p.id FROM (
      SELECT DISTINCT r.account_id, r.currency, ${rate} AS rate FROM ${rates(scope, Prisma.sql`recommendation_sums`)}
      WHERE ${kindConditions(scope, filter)} AND r.recommendations > 0
    ) k CROSS JOIN LATERAL (
      SELECT r.id, r.estimated_monthly_savings * k.rate AS sorted FROM recommendations r
      WHERE r.account_id = k.account_id AND r.currency = k.currency AND ${rowConditions(scope, filter)} ${least}
      ORDER BY r.estimated_monthly_savings ${way}, r.id ${way} LIMIT ${page.skip + page.take}
    ) p ORDER BY p.sorted ${way} NULLS LAST, p.id ${way} LIMIT ${page.take} OFFSET ${page.skip}`;
}

const sorted = {
  created_at: Prisma.sql`r.created_at`,
  updated_at: Prisma.sql`r.updated_at`,
  status_changed_at: Prisma.sql`r.status_changed_at`,
  estimated_monthly_savings: Prisma.sql`r.estimated_monthly_savings`,
  realized_monthly_savings: Prisma.sql`r.realized_monthly_savings * ${rate}`,
  title: Prisma.sql`r.title`,
  type: Prisma.sql`r.type`,
};

function orderOf(sort: SortedBy): Prisma.Sql {
  const { field, direction } = sort ?? { field: 'created_at', direction: 'desc' };
  const way = direction === 'asc' ? Prisma.sql`ASC` : Prisma.sql`DESC`;
  // What has no value stands last either way; what always has one is in the order of its index.
  const nulls = field.endsWith('_savings') || field === 'status_changed_at' ? Prisma.sql`NULLS LAST` : Prisma.empty;
  return Prisma.sql`${sorted[field]} ${way} ${nulls}, r.id ${way}`;
}
