import { Prisma, type Anomaly } from '../../../prisma/generated/client/client.ts';
import type { AnomalyStatus } from '../../../prisma/generated/client/enums.ts';
import { holdsIn, monthlyRates } from '../../facts/currencies.ts';
import type { Db } from '../../kit/db.ts';
import { isUuid } from '../../kit/ids.ts';
import { among, type PageRequest } from '../../kit/page.ts';
import type { Sort } from '../../kit/sort.ts';
import { inside, StoredRecords } from '../../tenancy/accounts/about.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { Prose } from './explanation/compose.ts';
import type { AnomalyFacts } from './explanation/facts.ts';
import { resourcesById } from '../../facts/inventory/search.ts';
import { parseProviders } from '../../facts/provider.ts';
import type { Day } from '../../kit/time/period.ts';
import type { Severity } from './detection/episodes.ts';
import type { ChartDay } from './evaluation/finding.ts';
import { assignedTo, type AssigneeFilter, type TriageChange } from '../triage.ts';

/** Sort fields of anomalies, in REST spelling. */
export const anomalySortFields = [
  'detected_at',
  'start_date',
  'end_date',
  'status_changed_at',
  'severity',
  'service',
  'expected_cost',
  'actual_cost',
  'impact',
  'impact_percent',
] as const;

type SortedBy = Sort<(typeof anomalySortFields)[number]> | null;

/** The anomalies of organizations, with the changes of members. */
export const anomalies = new StoredRecords<Anomaly>({
  noun: 'Anomaly',
  plural: 'anomalies',
  model: (db) => db.anomaly,
});

/** Counts the anomalies that match a filter. */
export async function countAnomalies(db: Db, scope: OrgScope, filter: AnomalyFilter): Promise<number> {
  const rows = await db.$queryRaw<{ total: number }[]>`/* countAnomalies */
    SELECT count(*)::int AS total FROM anomalies n WHERE ${conditions(scope, filter)}`;
  return rows[0]?.total ?? 0;
}

/** Parameters of an anomaly list. */
export interface AnomalyQuestion {
  readonly filter: AnomalyFilter;
  readonly sort: SortedBy;
  readonly page: PageRequest;
}

/** Returns the ids of a page of anomalies, latest start first by default. */
export async function listAnomalies(db: Db, scope: OrgScope, question: AnomalyQuestion): Promise<string[]> {
  const page = await db.$queryRaw<{ id: string }[]>`/* listAnomalies */ SELECT n.id ${pageOf(scope, question)}`;
  return page.map(({ id }) => id);
}

function pageOf(scope: OrgScope, { filter, sort, page }: AnomalyQuestion): Prisma.Sql {
  const own = conditions(scope, filter);
  // Money in several currencies is sorted by converted value, without a rate last.
  const rates = isMoney(sort)
    ? Prisma.sql`JOIN organizations o ON o.id = n.organization_id
        LEFT JOIN ${monthlyRates(scope.organizationId)} k ON k.currency = n.currency AND k.to_currency = o.currency
          AND ${holdsIn('k', "date_trunc('month', n.start_date)::date")}`
    : Prisma.empty;
  return Prisma.sql`FROM anomalies n ${rates} WHERE ${own}
    ORDER BY ${orderOf(sort)} LIMIT ${page.take} OFFSET ${page.skip}`;
}

const impact = Prisma.sql`(n.actual_cost - n.expected_cost)`;
const rate = Prisma.sql`CASE WHEN n.currency = o.currency THEN 1 ELSE k.rate END`;
const sorted: Readonly<Record<(typeof anomalySortFields)[number], Prisma.Sql>> = {
  detected_at: Prisma.sql`n.detected_at`,
  start_date: Prisma.sql`n.start_date`,
  end_date: Prisma.sql`n.end_date`,
  status_changed_at: Prisma.sql`n.status_changed_at`,
  severity: Prisma.sql`array_position(ARRAY['low', 'medium', 'high', 'critical'], n.severity)`,
  service: Prisma.sql`lower(n.service)`,
  expected_cost: Prisma.sql`n.expected_cost * ${rate}`,
  actual_cost: Prisma.sql`n.actual_cost * ${rate}`,
  impact: Prisma.sql`${impact} * ${rate}`,
  impact_percent: Prisma.sql`${impact} / nullif(n.expected_cost, 0)`,
};

function isMoney(sort: SortedBy): boolean {
  return sort !== null && ['expected_cost', 'actual_cost', 'impact'].includes(sort.field);
}

/** Returns the sort order. Latest start first by default, because the first load of a year's bills detects everything at once. */
function orderOf(sort: SortedBy): Prisma.Sql {
  const newest = Prisma.sql`n.start_date DESC, n.detected_at DESC, n.id DESC`;
  if (sort === null) return newest;
  return Prisma.sql`${sorted[sort.field]} ${sort.direction === 'asc' ? Prisma.sql`ASC` : Prisma.sql`DESC`} NULLS LAST, ${newest}`;
}

/** A user's changes to an anomaly: absent fields stay unchanged. */
export interface AnomalyChange extends TriageChange {
  readonly status?: AnomalyStatus;
  readonly statusChangedAt?: Date;
  readonly statusChangedById?: string;
  readonly statusReason?: string | null;
}

/** Updates an anomaly in the scope. */
export async function changeAnomaly(db: Db, scope: OrgScope, id: string, data: AnomalyChange): Promise<void> {
  await db.anomaly.updateMany({ where: { ...inside(scope), id }, data });
}

/** Stores a model's prose, unless the anomaly's facts have changed. */
export async function saveProse(
  db: Db,
  scope: OrgScope,
  id: string,
  { facts, prose }: { facts: AnomalyFacts; prose: Prose },
): Promise<void> {
  await db.$executeRaw`/* saveProse */ UPDATE anomalies n SET prose = ${JSON.stringify(prose)}::jsonb
    WHERE n.id = ${id}::uuid AND ${ownership(scope)} AND n.facts = ${JSON.stringify(facts)}::jsonb`;
}

/** Filters of anomalies; null means any. An invalid id matches nothing. */
export interface AnomalyFilter extends AssigneeFilter {
  readonly status?: readonly AnomalyStatus[] | null;
  readonly severity?: readonly Severity[] | null;
  readonly accountId?: readonly string[] | null;
  readonly provider?: readonly string[] | null;
  readonly service?: readonly string[] | null;
  /** Inventory id: anomalies with this resource among their drivers. */
  readonly resourceId?: string | null;
  /** Only anomalies with a day on or after the first, and on or before the last. */
  readonly startDate?: Day | null;
  readonly endDate?: Day | null;
}

/** Restricts every read to the organization's rows, of accounts in the caller's scope. */
function ownership(scope: OrgScope): Prisma.Sql {
  const own = Prisma.sql`n.organization_id = ${scope.organizationId}::uuid`;
  return scope.accountIds ? Prisma.sql`${own} AND n.account_id = ANY(${[...scope.accountIds]}::uuid[])` : own;
}

/** Returns a filter's conditions on anomalies `n`. */
function conditions(scope: OrgScope, filter: AnomalyFilter): Prisma.Sql {
  const { resourceId = null, startDate = null, endDate = null } = filter;
  return Prisma.join(
    [
      ownership(scope),
      ...among('n.status', filter.status, 'anomaly_status'),
      ...among('n.account_id', filter.accountId?.filter(isUuid), 'uuid'),
      ...among('n.severity', filter.severity),
      ...among('n.provider', parseProviders(filter.provider)),
      ...among('n.service', filter.service),
      ...assignedTo('n', filter),
      ...(resourceId === null ? [] : [isDrivenBy(scope, [resourceId].filter(isUuid))]),
      ...(startDate === null ? [] : [Prisma.sql`n.end_date >= ${startDate}::date`]),
      ...(endDate === null ? [] : [Prisma.sql`n.start_date <= ${endDate}::date`]),
    ],
    ' AND ',
  );
}

/** Matches anomalies by driver. Drivers name resources as the bill does, which is unique within an anomaly's account and
 *  provider. */
function isDrivenBy(scope: OrgScope, ids: readonly string[]): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT 1 FROM jsonb_array_elements(n.facts -> 'drivers') driver
    WHERE driver ->> 'dimension' = 'resource' AND (n.account_id, n.provider, driver ->> 'value') IN (
      SELECT own.account_id, own.provider, own.native_id FROM (${resourcesById(scope, ids)}) own))`;
}

// Text and JSON columns, in the types that evaluations, their only writers, use.

/** Returns the severity of an anomaly from its column. */
export function severityOf(severity: string): Severity {
  return severity as Severity;
}

/** Returns the days of an anomaly from their column. */
export function seriesOf(series: unknown): Required<ChartDay>[] {
  return (series as readonly ChartDay[]).map((day) => ({ expected_low: null, expected_high: null, ...day }));
}

/** Returns the facts and prose of an anomaly from their columns. */
export function explainedOf({ facts, prose }: { facts: unknown; prose: unknown }): {
  facts: AnomalyFacts;
  prose: Prose | null;
} {
  return { facts: facts as AnomalyFacts, prose: prose as Prose | null };
}
