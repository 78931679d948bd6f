import type { Pool } from 'pg';
import { Prisma } from '../../../prisma/generated/client/client.ts';
import { among, type PageRequest } from '../../kit/page.ts';
import type { Sort } from '../../kit/sort.ts';
import { ownership, type LedgerSlice } from '../costs/reading/sql.ts';
import { convertedCost, monthCurrenciesOf } from '../currencies.ts';
import { run } from './list-store.ts';
import type { TagViolation } from './graphql-types.ts';
import type { TagProblem } from './policies/rule.ts';

type Sql = Prisma.Sql;

/** Sort fields of violations, in REST spelling. */
export const violationSortFields = ['cost_last_30_days', 'key', 'policy_name'] as const;

/** Filters of a violation list; null means any. */
export interface ViolationFilter {
  /** Requested policies in the caller's scope, by name. */
  readonly policyIds: readonly string[];
  /** As spelled in the rules. */
  readonly keys: readonly string[] | null;
  readonly problems: readonly TagProblem[] | null;
  readonly resourceTypes: readonly string[] | null;
  readonly providers: readonly string[] | null;
  /** Null: largest cost first. */
  readonly sort: Sort<(typeof violationSortFields)[number]> | null;
  /** Whether pages consist of resources, each with all of its violations in the filter. */
  readonly byResource: boolean;
}

/** A violation with its resource. `resourceId` is the id in the account's bills, as a decimal. */
export type ViolationRow = TagViolation['resource'] &
  Omit<TagViolation, 'policyName' | 'resource' | 'costLast30Days' | 'otherCosts'> & {
    /** Exact decimal. */
    readonly cost: string;
  };

/** Returns a page of violations and their total number, or that of their resources. */
export async function listViolations(
  pool: Pool,
  slice: LedgerSlice,
  filter: ViolationFilter,
  page: PageRequest,
): Promise<{ rows: ViolationRow[]; total: number }> {
  const shown = violationConditions(slice, filter);
  const [rows, [count]] = await Promise.all([
    run<ViolationRow>(
      pool,
      Prisma.sql`/* tags: violations */ WITH ${filter.byResource ? resourcePage(slice, filter, page) : violationPage(slice, filter, page)}
SELECT v.policy_id AS "policyId", v.key, v.problem, v.value, v.currency, v.cost::text AS cost, v.month_costs AS "monthCosts",
  r.id, r.account_id AS "accountId", r.resource_id AS "resourceId", r.provider, r.native_id AS "nativeId", r.name, r.resource_type AS "resourceType",
  r.service, r.region
FROM page v JOIN inventory_resources r ON r.account_id = v.account_id AND r.resource_id = v.resource_id
  AND r.organization_id = v.organization_id
ORDER BY v.place, v.key, v.policy_id`,
    ),
    run<{ total: number }>(
      pool,
      filter.byResource
        ? Prisma.sql`/* tags: count violating resources */ SELECT count(*)::int AS total
FROM (SELECT DISTINCT account_id, resource_id FROM tag_violations v WHERE ${shown}) r`
        : Prisma.sql`/* tags: count violations */ SELECT coalesce(sum(violations), 0)::int AS total
FROM tag_violation_counts v WHERE ${shown}`,
    ),
  ]);
  return { rows, total: count?.total ?? 0 };
}

/** Selects a page of violations. An index orders them by cost within an account and currency. When sorted by key or policy,
 *  the counts show which keys or policies are on the page. A lateral subquery with a limit refers to a distributed table only,
 *  which Citus requires. */
function violationPage(slice: LedgerSlice, filter: ViolationFilter, page: PageRequest): Sql {
  const shown = violationConditions(slice, filter);
  const kinds = Prisma.sql`tag_violation_counts v WHERE ${shown}`;
  const group = filter.sort ? groups[filter.sort.field] : null;
  const most = page.skip + page.take;
  const currencies = monthCurrenciesOf(slice, kinds);
  // An index order is that of the converted costs only if all months have one rate.
  const cut = Prisma.sql`ORDER BY ${costOrder(filter)} LIMIT CASE WHEN k.is_even THEN ${most}::bigint END`;
  if (group === null)
    return Prisma.sql`page AS MATERIALIZED (
  SELECT v.*, row_number() OVER (ORDER BY ${violationOrder(filter)}) AS place FROM ${currencies} k CROSS JOIN LATERAL (
    SELECT v.*, ${convertedCost('v', 'cost')} AS worth FROM tag_violations v
    WHERE ${shown} AND v.account_id = k.account_id AND v.currency = k.currency
    ${cut}
  ) v ORDER BY place LIMIT ${page.take} OFFSET ${page.skip}
)`;
  const column = Prisma.raw(group);
  return Prisma.sql`groups AS MATERIALIZED (
  SELECT ${column}, sum(violations) AS violations, sum(sum(violations)) OVER (ORDER BY ${groupOrder(filter)}) AS through
  FROM ${kinds} GROUP BY ${column}
), touched AS MATERIALIZED (
  SELECT ${column}, through - violations AS before FROM groups WHERE through > ${page.skip} AND through - violations < ${most}
), candidates AS MATERIALIZED (
  SELECT v.* FROM (
    SELECT DISTINCT v.account_id, v.currency, v.${column} FROM ${kinds} AND v.${column} IN (SELECT ${column} FROM touched)
  ) g JOIN ${currencies} k USING (account_id, currency)
  CROSS JOIN LATERAL (
    SELECT v.*, ${convertedCost('v', 'cost')} AS worth FROM tag_violations v
    WHERE ${shown} AND v.account_id = g.account_id AND v.currency = g.currency AND v.${column} = g.${column}
    ${cut}
  ) v
), placed AS MATERIALIZED (
  SELECT v.*, row_number() OVER (ORDER BY ${violationOrder(filter)}) AS place FROM candidates v ORDER BY place LIMIT ${most}
), page AS (
  SELECT v.* FROM placed v CROSS JOIN (SELECT ${page.skip} - coalesce(min(before), 0) AS skip FROM touched) t
  WHERE v.place > t.skip AND v.place <= t.skip + ${page.take}
)`;
}

/** Selects a page of resources with all of their violations. The first violation of each, by key, places it; an index orders
 *  them by cost, as in `violationPage`. */
function resourcePage(slice: LedgerSlice, filter: ViolationFilter, page: PageRequest): Sql {
  const shown = violationConditions(slice, filter);
  const kinds = Prisma.sql`tag_violation_counts v WHERE ${shown}`;
  const isByCost = filter.sort === null || filter.sort.field === 'cost_last_30_days';
  const most = page.skip + page.take;
  const cut = Prisma.sql`ORDER BY ${costOrder(filter)} LIMIT CASE WHEN k.is_even THEN ${most}::bigint END`;
  return Prisma.sql`heads AS MATERIALIZED (
  SELECT v.*, row_number() OVER (ORDER BY ${violationOrder(filter)}) AS place
  FROM ${monthCurrenciesOf(slice, kinds)} k CROSS JOIN LATERAL (
    SELECT v.*, ${convertedCost('v', 'cost')} AS worth FROM tag_violations v
    WHERE ${shown} AND v.account_id = k.account_id AND v.currency = k.currency AND NOT EXISTS (
      SELECT FROM tag_violations o WHERE ${shown} AND o.account_id = v.account_id AND o.resource_id = v.resource_id
        AND (o.key, o.policy_id) < (v.key, v.policy_id)
    )
    ${isByCost ? cut : Prisma.empty}
  ) v ORDER BY place LIMIT ${page.take} OFFSET ${page.skip}
), page AS (
  SELECT v.*, h.place FROM heads h CROSS JOIN LATERAL (
    SELECT * FROM tag_violations v WHERE ${shown} AND v.account_id = h.account_id AND v.resource_id = h.resource_id
  ) v
)`;
}

/** Conditions on both violations and their counts. */
function violationConditions(slice: LedgerSlice, filter: ViolationFilter): Sql {
  const { keys, problems, resourceTypes, providers } = filter;
  return Prisma.join(
    [
      ownership(slice),
      Prisma.sql`policy_id = ANY(${[...filter.policyIds]}::uuid[])`,
      ...among('key', keys),
      ...among('problem', problems),
      ...among('resource_type', resourceTypes),
      ...among('provider', providers),
    ],
    ' AND ',
  );
}

/** Columns to sort violations by before cost. */
const groups = { cost_last_30_days: null, key: 'key', policy_name: 'policy_id' } as const;

/** Returns the order of an index, forward or backward. */
function costOrder({ sort }: ViolationFilter): Sql {
  return sort?.field === 'cost_last_30_days' && sort.direction === 'asc'
    ? Prisma.sql`v.cost, v.resource_id DESC, v.key DESC, v.policy_id DESC`
    : Prisma.sql`v.cost DESC, v.resource_id, v.key, v.policy_id`;
}

/** Orders by cost in the organization's currency, without a rate last. Ends with a unique tie-breaker. */
function violationOrder(filter: ViolationFilter): Sql {
  const { sort } = filter;
  const isAscending = sort?.field === 'cost_last_30_days' && sort.direction === 'asc';
  const way = Prisma.raw(isAscending ? 'ASC' : 'DESC');
  const rest = Prisma.sql`v.worth ${way} NULLS LAST, v.currency, ${costOrder(filter)}, v.account_id ${Prisma.raw(isAscending ? 'DESC' : 'ASC')}`;
  return sort === null || sort.field === 'cost_last_30_days' ? rest : Prisma.sql`${groupOrder(filter)}, ${rest}`;
}

function groupOrder({ sort, policyIds }: ViolationFilter): Sql {
  const direction = Prisma.raw(sort?.direction ?? 'asc');
  return sort?.field === 'key'
    ? Prisma.sql`lower(v.key) ${direction}, v.key ${direction}`
    : Prisma.sql`array_position(${[...policyIds]}::uuid[], v.policy_id) ${direction}`;
}
