import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { RecommendationStatus } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import type { PageRequest } from '../../kit/page.ts';
import type { Sort } from '../../kit/sort.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { Confidence } from './detector.ts';
import type { Script } from './script.ts';

/** A recommendation as it is kept. Amounts are exact decimals in `currency`. */
export interface RecommendationRow {
  readonly id: string;
  readonly accountId: string;
  readonly provider: string;
  readonly type: string;
  readonly title: string;
  readonly description: string;
  readonly status: RecommendationStatus;
  readonly snoozedUntil: Date | null;
  /** Of the inventory; null where it is not in it, or never was. */
  readonly resourceId: string | null;
  readonly nativeId: string | null;
  readonly resourceName: string | null;
  readonly currency: string;
  readonly savings: string;
  readonly confidence: Confidence;
  readonly evidence: Record<string, unknown>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly statusChangedAt: Date | null;
  readonly statusReason: string | null;
  readonly realizedSavings: string | null;
  /** How to carry it out; null in lists. */
  readonly scripts: readonly Script[] | null;
}

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

/** Which recommendations are meant; null means any. */
export interface RecommendationFilter {
  readonly statuses: readonly RecommendationStatus[] | null;
  readonly types: readonly string[] | null;
  readonly accountIds: readonly string[] | null;
  readonly providers: readonly string[] | null;
  /** Least saving of a month, decimal text in the organization's currency. */
  readonly minSavings: string | null;
  /** When asked; snoozed ones are left out. Null: they are in. */
  readonly awakeAt: Date | null;
}

/** Sums of recommendations that have a type and a status in common. Exact decimals. */
export interface SavingsCell {
  readonly type: string;
  readonly status: RecommendationStatus;
  readonly currency: string;
  readonly count: number;
  /** In the cell's own currency. */
  readonly savings: string;
  /** In the organization's; null where there is no rate. */
  readonly converted: string | null;
}

const shown = Prisma.sql`r.id, r.account_id AS "accountId", r.provider, r.type, r.title, r.description, r.status::text AS status,
  r.snoozed_until AS "snoozedUntil", i.id AS "resourceId", r.native_id AS "nativeId", r.resource_name AS "resourceName", r.currency,
  r.estimated_monthly_savings::text AS savings, r.confidence, r.evidence, r.created_at AS "createdAt",
  r.updated_at AS "updatedAt", r.status_changed_at AS "statusChangedAt", r.status_reason AS "statusReason",
  r.realized_monthly_savings::text AS "realizedSavings"`;

const withResource = Prisma.sql`LEFT JOIN inventory_resources i ON i.organization_id = r.organization_id
  AND i.account_id = r.account_id AND i.resource_id = r.resource_id`;

const unrated = Prisma.sql`recommendations r`;

/** Recommendations with the rate to the organization's currency: of the month of the account's last complete day. */
const rated = (scope: OrgScope) => Prisma.sql`recommendations r
  JOIN organizations o ON o.id = r.organization_id
  JOIN accounts a ON a.organization_id = r.organization_id AND a.id = r.account_id
  LEFT JOIN exchange_rates x ON x.organization_id = ${scope.organizationId}::uuid AND x.from_currency = r.currency
    AND x.to_currency = o.currency AND x.month = date_trunc('month', a.complete_through)::date`;

const rate = Prisma.sql`CASE WHEN r.currency = o.currency THEN 1 ELSE x.rate END`;

/** A page of recommendations, the newest first unless sorted, and how many there are in all. Evidence and scripts are long, so
 *  that the page is found by an index alone before they are read. */
export async function listRecommendations(
  db: Db,
  scope: OrgScope,
  { filter, sort }: { filter: RecommendationFilter; sort: Sort<(typeof recommendationSortFields)[number]> | null },
  page: PageRequest,
): Promise<{ rows: RecommendationRow[]; total: number }> {
  const where = conditions(scope, filter);
  const needsRates = filter.minSavings !== null;
  const sortsByMoney = sort?.field.endsWith('_savings') ?? false;
  const [rows, counts] = await Promise.all([
    db.$queryRaw<RecommendationRow[]>`/* listRecommendations */ WITH page AS MATERIALIZED (
        SELECT r.id, row_number() OVER () AS place FROM (
          SELECT r.id FROM ${needsRates || sortsByMoney ? rated(scope) : unrated} WHERE ${where}
          ORDER BY ${orderOf(sort)} LIMIT ${page.take} OFFSET ${page.skip}
        ) r
      )
      SELECT ${shown}, null AS scripts FROM page JOIN recommendations r ON r.id = page.id ${withResource}
      WHERE r.organization_id = ${scope.organizationId}::uuid ORDER BY page.place`,
    db.$queryRaw<{ count: number }[]>`/* countRecommendations */
      SELECT count(*)::int AS count FROM ${needsRates ? rated(scope) : unrated} WHERE ${where}`,
  ]);
  return { rows, total: counts[0]?.count ?? 0 };
}

/** One recommendation in scope, with how to carry it out; null when there is none. */
export async function findRecommendation(db: Db, scope: OrgScope, id: string): Promise<RecommendationRow | null> {
  const rows = await db.$queryRaw<RecommendationRow[]>`/* findRecommendation */
    SELECT ${shown}, r.scripts FROM recommendations r ${withResource} WHERE r.id = ${id}::uuid AND ${ownership(scope)}`;
  return rows[0] ?? null;
}

/** Counts and savings by type, status and currency. */
export async function sumRecommendations(
  db: Db,
  scope: OrgScope,
  filter: RecommendationFilter,
): Promise<SavingsCell[]> {
  // Added up before they are converted: there are few currencies.
  return db.$queryRaw<SavingsCell[]>`/* sumRecommendations */ WITH sums AS MATERIALIZED (
      SELECT r.account_id, r.type, r.status, r.currency, count(*) AS count, sum(r.estimated_monthly_savings) AS savings
      FROM ${filter.minSavings === null ? unrated : rated(scope)} WHERE ${conditions(scope, filter)}
      GROUP BY r.account_id, r.type, r.status, r.currency
    )
    SELECT r.type, r.status::text AS status, r.currency, sum(r.count)::int AS count, sum(r.savings)::text AS savings,
      sum(r.savings * ${rate})::text AS converted
    FROM sums r
    JOIN accounts a ON a.organization_id = ${scope.organizationId}::uuid AND a.id = r.account_id
    JOIN organizations o ON o.id = a.organization_id
    LEFT JOIN exchange_rates x ON x.organization_id = o.id AND x.from_currency = r.currency AND x.to_currency = o.currency
      AND x.month = date_trunc('month', a.complete_through)::date
    GROUP BY r.type, r.status, r.currency, ${rate} IS NULL ORDER BY r.type, r.status, r.currency`;
}

/** What changes of a recommendation; what is absent stays. */
export interface RecommendationChange {
  readonly status?: RecommendationStatus;
  readonly statusChangedAt?: Date;
  readonly statusChangedById?: string;
  readonly statusReason?: string | null;
  readonly snoozedUntil?: Date | null;
  readonly realizedMonthlySavings?: null;
}

/** Changes a recommendation in scope. */
export async function changeRecommendation(
  db: Db,
  scope: OrgScope,
  id: string,
  data: RecommendationChange,
): Promise<void> {
  const accounts = scope.accountIds ? { accountId: { in: [...scope.accountIds] } } : {};
  await db.recommendation.updateMany({ where: { id, organizationId: scope.organizationId, ...accounts }, data });
}

/** The organization's currency. */
export async function readCurrency(db: Db, scope: OrgScope): Promise<string> {
  const where = { id: scope.organizationId };
  return (await db.organization.findUniqueOrThrow({ where, select: { currency: true } })).currency;
}

/** In every read: the organization's, of the accounts in the caller's scope. */
function ownership(scope: OrgScope): Prisma.Sql {
  const own = Prisma.sql`r.organization_id = ${scope.organizationId}::uuid`;
  return scope.accountIds ? Prisma.sql`${own} AND r.account_id = ANY(${[...scope.accountIds]}::uuid[])` : own;
}

function conditions(scope: OrgScope, filter: RecommendationFilter): Prisma.Sql {
  return Prisma.join(
    [
      ownership(scope),
      ...(filter.statuses === null
        ? []
        : [Prisma.sql`r.status = ANY(${[...filter.statuses]}::recommendation_status[])`]),
      ...oneOf('r.type', filter.types),
      ...(filter.accountIds === null ? [] : [Prisma.sql`r.account_id = ANY(${[...filter.accountIds]}::uuid[])`]),
      ...oneOf('r.provider', filter.providers),
      ...(filter.minSavings === null
        ? []
        : [Prisma.sql`r.estimated_monthly_savings * ${rate} >= ${filter.minSavings}::numeric`]),
      ...(filter.awakeAt === null
        ? []
        : [Prisma.sql`(r.snoozed_until IS NULL OR r.snoozed_until <= ${filter.awakeAt})`]),
    ],
    ' AND ',
  );
}

function oneOf(column: string, values: readonly string[] | null): Prisma.Sql[] {
  return values === null ? [] : [Prisma.sql`${Prisma.raw(column)} = ANY(${[...values]}::text[])`];
}

const sorted: Readonly<Record<(typeof recommendationSortFields)[number], Prisma.Sql>> = {
  created_at: Prisma.sql`r.created_at`,
  updated_at: Prisma.sql`r.updated_at`,
  status_changed_at: Prisma.sql`r.status_changed_at`,
  estimated_monthly_savings: Prisma.sql`r.estimated_monthly_savings * ${rate}`,
  realized_monthly_savings: Prisma.sql`r.realized_monthly_savings * ${rate}`,
  title: Prisma.sql`r.title`,
  type: Prisma.sql`r.type`,
};

function orderOf(sort: Sort<(typeof recommendationSortFields)[number]> | null): Prisma.Sql {
  const { field, direction } = sort ?? { field: 'created_at', direction: 'desc' };
  const way = direction === 'asc' ? Prisma.sql`ASC` : Prisma.sql`DESC`;
  // What has no value stands last either way; what always has one is in the order of its index.
  const nulls = field.endsWith('_savings') || field === 'status_changed_at' ? Prisma.sql`NULLS LAST` : Prisma.empty;
  return Prisma.sql`${sorted[field]} ${way} ${nulls}, r.id ${way}`;
}
