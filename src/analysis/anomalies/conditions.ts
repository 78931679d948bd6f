import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { AnomalyStatus } from '../../../prisma/generated/client/enums.ts';
import { resourcesById } from '../../facts/inventory/search.ts';
import type { Day } from '../../kit/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { Severity } from './severity.ts';

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
export function ownership(scope: OrgScope): Prisma.Sql {
  const own = Prisma.sql`n.organization_id = ${scope.organizationId}::uuid`;
  return scope.accountIds ? Prisma.sql`${own} AND n.account_id = ANY(${[...scope.accountIds]}::uuid[])` : own;
}

/** What a filter asks of anomalies `n`. */
export function conditions(scope: OrgScope, filter: AnomalyFilter): Prisma.Sql {
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
