import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { AnomalyStatus } from '../../../prisma/generated/client/enums.ts';
import { currenciesOf } from '../../facts/currencies.ts';
import type { Db } from '../../kit/db.ts';
import { isUuid } from '../../kit/ids.ts';
import { inOrderOf, type PageRequest } from '../../kit/page.ts';
import type { Sort } from '../../kit/sort.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { Prose } from './explanation/compose.ts';
import type { AnomalyFacts } from './explanation/facts.ts';
import { resourcesById } from '../../facts/inventory/search.ts';
import type { Day } from '../../kit/period.ts';
import type { Severity, AnomalyKind } from './detection/episodes.ts';
import type { ChartDay } from './evaluation/finding.ts';

/** Fields that anomalies can be sorted by, as REST spells them. */
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

/** How many anomalies a filter leaves. */
export async function countAnomalies(db: Db, scope: OrgScope, filter: AnomalyFilter): Promise<number> {
  const rows = await db.$queryRaw<{ total: number }[]>`/* countAnomalies */
    SELECT count(*)::int AS total FROM anomalies n WHERE ${conditions(scope, filter)}`;
  return rows[0]?.total ?? 0;
}

/** Which anomalies are listed. */
export interface AnomalyQuestion {
  readonly filter: AnomalyFilter;
  readonly sort: SortedBy;
  readonly page: PageRequest;
}

/** The columns and relations of a page's rows; the ids give the order. */
export type PageSelect = Prisma.AnomalySelect & { readonly id: true };

/** A page of anomalies, as far as they are selected; those that began last first unless sorted. */
export async function selectAnomalies<Select extends PageSelect>(
  db: Db,
  scope: OrgScope,
  { select, ...question }: AnomalyQuestion & { readonly select: Select },
): Promise<Prisma.AnomalyGetPayload<{ select: Select }>[]> {
  const page = await db.$queryRaw<{ id: string }[]>`/* selectAnomalies */ SELECT n.id ${pageOf(scope, question)}`;
  const ids = page.map(({ id }) => id);
  const rows = await db.anomaly.findMany({ select, where: { ...inside(scope), id: { in: ids } } });
  return inOrderOf(ids, rows as ((typeof rows)[number] & { id: string })[]);
}

/** What is asked of anomalies. */
export type AnomalySelection = Pick<Prisma.AnomalyDefaultArgs, 'select' | 'include'>;

/** The anomalies among some ids that the scope sees, as far as they are selected. */
export function selectAnomaliesById(db: Db, scope: OrgScope, ids: readonly string[], query: AnomalySelection) {
  return db.anomaly.findMany({ ...query, where: { ...inside(scope), id: { in: [...ids] } } });
}

/** One anomaly in scope, as far as it is selected, or whole; null when there is none. */
export async function selectAnomaly(db: Db, scope: OrgScope, id: string, query: AnomalySelection = {}) {
  return isUuid(id) ? db.anomaly.findFirst({ ...query, where: { ...inside(scope), id } }) : null;
}

function inside({ organizationId, accountIds }: OrgScope) {
  return { organizationId, ...(accountIds && { accountId: { in: [...accountIds] } }) };
}

function pageOf(scope: OrgScope, { filter, sort, page }: AnomalyQuestion): Prisma.Sql {
  const own = conditions(scope, filter);
  // Money in several currencies is put in order by what it is worth; what has no rate stands last.
  const rates = isMoney(sort)
    ? Prisma.sql`LEFT JOIN ${currenciesOf(scope, Prisma.sql`anomalies n WHERE ${own}`)} k
        ON k.account_id = n.account_id AND k.currency = n.currency`
    : Prisma.empty;
  return Prisma.sql`FROM anomalies n ${rates} WHERE ${own}
    ORDER BY ${orderOf(sort)} LIMIT ${page.take} OFFSET ${page.skip}`;
}

const impact = Prisma.sql`(n.actual_cost - n.expected_cost)`;
const sorted: Readonly<Record<(typeof anomalySortFields)[number], Prisma.Sql>> = {
  detected_at: Prisma.sql`n.detected_at`,
  start_date: Prisma.sql`n.start_date`,
  end_date: Prisma.sql`n.end_date`,
  status_changed_at: Prisma.sql`n.status_changed_at`,
  severity: Prisma.sql`array_position(ARRAY['low', 'medium', 'high', 'critical'], n.severity)`,
  service: Prisma.sql`lower(n.service)`,
  expected_cost: Prisma.sql`n.expected_cost * k.rate`,
  actual_cost: Prisma.sql`n.actual_cost * k.rate`,
  impact: Prisma.sql`${impact} * k.rate`,
  impact_percent: Prisma.sql`${impact} / nullif(n.expected_cost, 0)`,
};

function isMoney(sort: SortedBy): boolean {
  return sort !== null && ['expected_cost', 'actual_cost', 'impact'].includes(sort.field);
}

/** By their days: a first load of a year's bills finds all of them at once. */
function orderOf(sort: SortedBy): Prisma.Sql {
  const newest = Prisma.sql`n.start_date DESC, n.detected_at DESC, n.id DESC`;
  if (sort === null) return newest;
  return Prisma.sql`${sorted[sort.field]} ${sort.direction === 'asc' ? Prisma.sql`ASC` : Prisma.sql`DESC`} NULLS LAST, ${newest}`;
}

/** Waits for whoever changes an anomaly in scope, and keeps others from it until the transaction ends.
 *  @param db an open transaction */
export async function holdAnomaly(db: Db, scope: OrgScope, id: string): Promise<void> {
  if (!isUuid(id)) return;
  await db.$queryRaw`/* holdAnomaly */ SELECT 1 FROM anomalies n WHERE n.id = ${id}::uuid AND ${ownership(scope)} FOR UPDATE`;
}

/** What somebody changes of an anomaly; what is absent stays. */
export interface AnomalyChange {
  readonly status?: AnomalyStatus;
  readonly statusChangedAt?: Date;
  readonly statusChangedById?: string;
  readonly statusReason?: string | null;
}

/** Changes an anomaly in scope. */
export async function changeAnomaly(db: Db, scope: OrgScope, id: string, data: AnomalyChange): Promise<void> {
  await db.anomaly.updateMany({ where: { ...inside(scope), id }, data });
}

/** Keeps the prose of a model, unless the anomaly has other facts by now. */
export async function saveProse(
  db: Db,
  scope: OrgScope,
  id: string,
  { facts, prose }: { facts: AnomalyFacts; prose: Prose },
): Promise<void> {
  await db.$executeRaw`/* saveProse */ UPDATE anomalies n SET prose = ${JSON.stringify(prose)}::jsonb
    WHERE n.id = ${id}::uuid AND ${ownership(scope)} AND n.facts = ${JSON.stringify(facts)}::jsonb`;
}

/** Which anomalies are meant; null means any. */
export interface AnomalyFilter {
  readonly statuses: readonly AnomalyStatus[] | null;
  readonly severities: readonly Severity[] | null;
  readonly accountIds: readonly string[] | null;
  readonly providers: readonly string[] | null;
  readonly services: readonly string[] | null;
  /** Of the inventory: those that name it among their drivers. */
  readonly resourceIds: readonly string[] | null;
  /** Those with a day on or after, and on or before, these. */
  readonly from: Day | null;
  readonly to: Day | null;
}

/** In every read: the organization's, of the accounts in the caller's scope. */
function ownership(scope: OrgScope): Prisma.Sql {
  const own = Prisma.sql`n.organization_id = ${scope.organizationId}::uuid`;
  return scope.accountIds ? Prisma.sql`${own} AND n.account_id = ANY(${[...scope.accountIds]}::uuid[])` : own;
}

/** What a filter asks of anomalies `n`. */
function conditions(scope: OrgScope, filter: AnomalyFilter): Prisma.Sql {
  const { statuses, accountIds, resourceIds, from, to } = filter;
  return Prisma.join(
    [
      ownership(scope),
      ...(statuses === null ? [] : [Prisma.sql`n.status = ANY(${[...statuses]}::anomaly_status[])`]),
      ...(accountIds === null ? [] : [Prisma.sql`n.account_id = ANY(${[...accountIds]}::uuid[])`]),
      ...oneOf('n.severity', filter.severities),
      ...oneOf('n.provider', filter.providers),
      ...oneOf('n.service', filter.services),
      ...(resourceIds === null ? [] : [isDrivenBy(scope, resourceIds)]),
      ...(from === null ? [] : [Prisma.sql`n.end_date >= ${from}::date`]),
      ...(to === null ? [] : [Prisma.sql`n.start_date <= ${to}::date`]),
    ],
    ' AND ',
  );
}

/** Drivers name a resource as the bill does, and of an anomaly's account and provider it is the only one of that name. */
function isDrivenBy(scope: OrgScope, ids: readonly string[]): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT 1 FROM (${resourcesById(scope, ids)}) own
    WHERE own.account_id = n.account_id AND own.provider = n.provider
      AND n.facts -> 'drivers' @> jsonb_build_array(jsonb_build_object('dimension', 'resource', 'value', own.native_id)))`;
}

function oneOf(column: string, values: readonly string[] | null): Prisma.Sql[] {
  return values === null ? [] : [Prisma.sql`${Prisma.raw(column)} = ANY(${[...values]}::text[])`];
}

// Columns that the database knows as text or JSON, in the types of what evaluations, which alone write them, write.

/** The kind of an anomaly from its column. */
export function kindOf(kind: string): AnomalyKind {
  return kind as AnomalyKind;
}

/** The severity of an anomaly from its column. */
export function severityOf(severity: string): Severity {
  return severity as Severity;
}

/** The days of an anomaly from their column. */
export function seriesOf(series: unknown): readonly ChartDay[] {
  return series as readonly ChartDay[];
}

/** What explains an anomaly, from its columns. */
export function explainedOf({ facts, prose }: { facts: unknown; prose: unknown }): {
  facts: AnomalyFacts;
  prose: Prose | null;
} {
  return { facts: facts as AnomalyFacts, prose: prose as Prose | null };
}
