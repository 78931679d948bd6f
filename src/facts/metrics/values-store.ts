import type { Pool } from 'pg';
import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { amountToNumber, parseAmount, type Amount } from '../../kit/money.ts';
import type { PageRequest } from '../../kit/page.ts';
import { parseSort, type SortBy } from '../../kit/sort.ts';
import { addDays, dayOf, instantOf, type Day, type DayRange } from '../../kit/time/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { run } from '../costs/reading/sql.ts';
import { digestOf, type Labels, type MetricValue } from './values.ts';

/** Sort fields of values, in REST spelling. */
export const valueSortFields = ['date', 'value'] as const;

/** Days of values, both inclusive; null means no limit. */
export interface DaysAsked {
  readonly startDate?: Day | null;
  readonly endDate?: Day | null;
}

/** Filters of a list of values. */
export interface ValuesAsked extends DaysAsked {
  readonly sortBy?: SortBy<typeof valueSortFields> | null;
}

/** Replaces the quantities of the given days and sets of labels.
 *  @returns the number of values that differ from before */
export async function upsertValues(
  db: Db,
  { organizationId }: OrgScope,
  metricId: string,
  values: readonly MetricValue[],
): Promise<number> {
  const rows = values.map((value) => ({ ...value, digest: digestOf(value.labels) }));
  return db.$executeRaw`/* upsertValues */
    INSERT INTO unit_metric_values AS v (organization_id, metric_id, date, labels_digest, labels, value)
    SELECT ${organizationId}::uuid, ${metricId}::uuid, date, decode(digest, 'hex'), labels, value
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS s (date date, digest text, labels jsonb, value numeric)
    ON CONFLICT (organization_id, metric_id, date, labels_digest) DO UPDATE SET value = EXCLUDED.value
    WHERE v.value <> EXCLUDED.value`;
}

/** Deletes the quantities of a range of days.
 *  @returns their number */
export async function deleteValues(db: Db, scope: OrgScope, metricId: string, days: DaysAsked): Promise<number> {
  const { count } = await db.unitMetricValue.deleteMany({ where: whereOf(scope, metricId, days) });
  return count;
}

/** Counts all quantities of a metric. */
export function countValues(db: Db, scope: OrgScope, metricId: string): Promise<number> {
  return db.unitMetricValue.count({ where: whereOf(scope, metricId, {}) });
}

/** Marks a metric's values as changed. */
export async function bumpValuesVersion(db: Db, { organizationId }: OrgScope, metricId: string): Promise<void> {
  const data = { valuesVersion: { increment: 1 } };
  await db.unitMetric.updateMany({ where: { organizationId, id: metricId }, data });
}

/** Returns a page of a metric's quantities, newest day first by default. */
export async function pageValues(
  db: Db,
  scope: OrgScope,
  { metricId, sortBy, ...days }: ValuesAsked & { readonly metricId: string },
  { skip, take }: PageRequest,
): Promise<{ rows: { date: Day; value: number; labels: object }[]; total: number }> {
  const where = whereOf(scope, metricId, days);
  const { field, direction } = parseSort(sortBy, valueSortFields) ?? { field: 'date', direction: 'desc' };
  const orderBy = [{ [field]: direction }, { date: 'desc' as const }, { labelsDigest: 'asc' as const }];
  const [rows, total] = await Promise.all([
    db.unitMetricValue.findMany({ where, orderBy, skip, take, select: { date: true, value: true, labels: true } }),
    db.unitMetricValue.count({ where }),
  ]);
  return {
    rows: rows.map(({ date, value, labels }) => ({
      date: dayOf(date),
      value: amountToNumber(parseAmount(value.toFixed())),
      labels: Object(labels) as object,
    })),
    total,
  };
}

function whereOf({ organizationId }: OrgScope, metricId: string, { startDate, endDate }: DaysAsked) {
  const bounds = {
    ...(startDate && { gte: instantOf(startDate) }),
    ...(endDate && { lt: instantOf(addDays(endDate, 1)) }),
  };
  return { organizationId, metricId, date: bounds };
}

/** Extent of a metric's values. */
export interface Extent {
  readonly valueCount: number;
  readonly firstDate: Day | null;
  readonly lastDate: Day | null;
}

/** Returns the extents of metrics, in the order of the ids. */
export async function extentsOf(db: Db, { organizationId }: OrgScope, ids: readonly string[]): Promise<Extent[]> {
  const rows = await db.unitMetricValue.groupBy({
    by: ['metricId'],
    where: { organizationId, metricId: { in: [...ids] } },
    _count: true,
    _min: { date: true },
    _max: { date: true },
  });
  const known = new Map(rows.map((row) => [row.metricId, row]));
  return ids.map((id) => {
    const row = known.get(id);
    const [first, last] = [row?._min.date ?? null, row?._max.date ?? null];
    return { valueCount: row?._count ?? 0, firstDate: first && dayOf(first), lastDate: last && dayOf(last) };
  });
}

/** Selects the quantities of a metric to add up. */
export interface QuantityQuery {
  readonly metricId: string;
  readonly range: DayRange;
  /** Only values that have all of these labels. */
  readonly labels: Labels;
}

/** Returns the exact quantity of a metric per day; days without values are absent. */
export async function readMetricDays(
  pool: Pool,
  { organizationId }: Pick<OrgScope, 'organizationId'>,
  { metricId, range, labels }: QuantityQuery,
): Promise<Map<Day, Amount>> {
  const rows = await run<{ date: Day; quantity: string }>(
    pool,
    Prisma.sql`/* readMetricDays */ SELECT to_char(date, 'YYYY-MM-DD') AS date, sum(value)::text AS quantity FROM unit_metric_values
WHERE organization_id = ${organizationId}::uuid AND metric_id = ${metricId}::uuid AND date >= ${range.start}::date AND date < ${range.end}::date
  AND labels @> ${JSON.stringify(labels)}::jsonb
GROUP BY date ORDER BY date`,
  );
  return new Map(rows.map(({ date, quantity }) => [date, parseAmount(quantity)]));
}

/** Quantities of metrics by the value of a label. */
export interface LabelQuery {
  readonly metricIds: readonly string[];
  /** Name of the label. */
  readonly label: string;
  readonly range: DayRange;
}

/** Quantity of a metric in a calendar month with a value of the label. */
export interface LabelQuantity {
  readonly metricId: string;
  /** First day of the month. */
  readonly month: Day;
  readonly value: string;
  readonly quantity: Amount;
}

/** Returns the exact quantities per month and value of a label, of values that have it. */
export async function readLabelQuantities(
  pool: Pool,
  { organizationId }: Pick<OrgScope, 'organizationId'>,
  { metricIds, label, range }: LabelQuery,
): Promise<LabelQuantity[]> {
  if (metricIds.length === 0) return [];
  const rows = await run<{ metricId: string; month: Day; value: string; quantity: string }>(
    pool,
    Prisma.sql`/* readLabelQuantities */ SELECT metric_id AS "metricId", to_char(date, 'YYYY-MM-01') AS month, labels->>${label}::text AS value,
  sum(value)::text AS quantity FROM unit_metric_values
WHERE organization_id = ${organizationId}::uuid AND metric_id = ANY(${metricIds}::uuid[]) AND date >= ${range.start}::date AND date < ${range.end}::date
  AND labels ? ${label} GROUP BY 1, 2, 3`,
  );
  return rows.map(({ quantity, ...row }) => ({ ...row, quantity: parseAmount(quantity) }));
}
