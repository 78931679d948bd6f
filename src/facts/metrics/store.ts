import type { UnitMetric as MetricRow } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { isUuid } from '../../kit/ids.ts';
import type { PageRequest, Rows } from '../../kit/page.ts';
import { parseSort, type SortBy } from '../../kit/sort.ts';
import { Records } from '../../tenancy/accounts/about.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { Metric } from './metric.ts';

/** Sort fields of metrics, in REST spelling. */
export const metricSortFields = ['key', 'name', 'created_at'] as const;

/** The metrics of organizations. They are not data of an account, so every member sees them. */
export const metrics = new Records<MetricRow, MetricRow>({
  noun: 'Unit metric',
  plural: 'unit metrics',
  resourceType: 'unit_metric',
  limit: 100,
  model: (db) => db.unitMetric,
  visible: ofOrganization,
  parse: (row) => row,
  details: ({ key, name, unit, direction }) => ({ key, name, unit, direction }),
});

function ofOrganization({ organizationId }: OrgScope): { organizationId: string } {
  return { organizationId };
}

/** Returns a page of selected metrics, by name by default. */
export function pageMetrics(
  { db }: { readonly db: Db },
  scope: OrgScope,
  { sortBy }: { readonly sortBy?: SortBy<typeof metricSortFields> | null },
  page: PageRequest & { select: { id: true } },
): Rows {
  const sort = parseSort(sortBy, metricSortFields) ?? { field: 'name', direction: 'asc' };
  return metrics.page(db, scope, { filters: [], sort }, page);
}

/** Returns the metric with a key in lower case; null without one. */
export async function findMetricByKey(db: Db, scope: OrgScope, key: string): Promise<Metric | null> {
  return db.unitMetric.findFirst({
    where: { ...ofOrganization(scope), key },
    select: { id: true, key: true, name: true, unit: true, direction: true, valuesVersion: true },
  });
}

/** Keeps metrics from being changed or deleted until the transaction ends.
 *  @returns the ids of those that exist */
export async function keepMetrics(
  db: Db,
  { organizationId }: Pick<OrgScope, 'organizationId'>,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.$queryRaw<{ id: string }[]>`/* keepMetrics */ SELECT id FROM unit_metrics
    WHERE organization_id = ${organizationId}::uuid AND id = ANY(${ids.filter(isUuid)}::uuid[]) ORDER BY id FOR SHARE`;
  return new Set(rows.map(({ id }) => id));
}

/** Lists the keys of an organization's metrics, in order. */
export async function listMetricKeys(db: Db, scope: OrgScope): Promise<string[]> {
  const rows = await db.unitMetric.findMany({
    where: ofOrganization(scope),
    select: { key: true },
    orderBy: { key: 'asc' },
  });
  return rows.map(({ key }) => key);
}
