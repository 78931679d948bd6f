import type pg from 'pg';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import { hasOtherCosts } from '../../currencies.ts';
import type { FoundViolation, CheckedResource } from './check.ts';
import { parseRules, type TagPolicy } from '../policies/rule.ts';

const resourcesPerBatch = 5_000;

/** Reads the enabled policies that cover an account. */
export async function readPoliciesOf(
  client: pg.Pool | pg.ClientBase,
  scope: OrgScope,
  accountId: string,
): Promise<TagPolicy[]> {
  const { rows } = await client.query<Omit<TagPolicy, 'rules'> & { rules: unknown }>(
    `/* tags: policies */ SELECT id, name, rules, provider, account_id AS "accountId", resource_types AS "resourceTypes",
       enabled, created_by_id AS "createdById", created_at AS "createdAt"
     FROM tag_policies WHERE organization_id = $1 AND enabled AND (account_id IS NULL OR account_id = $2) ORDER BY id`,
    [scope.organizationId, accountId],
  );
  return rows.map((row) => ({ ...row, rules: parseRules(row.rules) }));
}

/** Reads the account's existing, taggable resources in batches.
 *  @param untaggable ids of resources whose charges cannot be tagged: they are taggable only if a listing has them */
export async function* readResources(
  client: pg.ClientBase,
  scope: OrgScope,
  accountId: string,
  untaggable: readonly string[],
): AsyncGenerator<CheckedResource[]> {
  let after: string | null = null;
  for (;;) {
    const { rows }: pg.QueryResult<Row> = await client.query<Row>(
      `/* tags: resources */ SELECT resource_id::text AS "resourceId", provider, resource_type AS "resourceType", tags,
         currency, cost_last_30_days::text AS cost, month_costs AS "monthCosts"
       FROM inventory_resources r WHERE account_id = $1 AND organization_id = $2 AND gone_at IS NULL
       AND ($3::bigint IS NULL OR resource_id > $3::bigint) AND (resource_id <> ALL ($4::bigint[]) OR EXISTS (
         SELECT FROM inventory_listings l WHERE l.account_id = r.account_id AND l.resource_id = r.resource_id))
       ORDER BY resource_id LIMIT ${resourcesPerBatch}`,
      [accountId, scope.organizationId, after, untaggable],
    );
    if (rows.length === 0) return;
    yield rows.map((row) => ({ ...row, tags: textsOf(row.tags) }));
    after = rows.at(-1)?.resourceId ?? null;
  }
}

type Row = Omit<CheckedResource, 'tags'> & { tags: Readonly<Record<string, unknown>> };

function textsOf(tags: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tags).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

/** Deletes the results of the account's previous evaluation. */
export async function deleteViolations(client: pg.ClientBase, scope: OrgScope, accountId: string): Promise<void> {
  for (const table of ['tag_violations', 'tag_violation_counts'])
    await client.query(`/* tags: violations */ DELETE FROM ${table} WHERE account_id = $1 AND organization_id = $2`, [
      accountId,
      scope.organizationId,
    ]);
}

/** Inserts the violations found. */
export async function insertViolations(
  client: pg.ClientBase,
  scope: OrgScope,
  accountId: string,
  found: readonly FoundViolation[],
): Promise<void> {
  if (found.length === 0) return;
  const rows = found.map(({ resource, ...violation }) => ({ ...resource, tags: undefined, ...violation }));
  await client.query(
    `/* tags: violations */ INSERT INTO tag_violations (account_id, organization_id, policy_id, resource_id, key, problem,
       value, provider, resource_type, currency, cost, month_costs)
     SELECT $1, $2, "policyId", "resourceId", key, problem, value, provider, "resourceType", currency, cost, "monthCosts"
     FROM jsonb_to_recordset($3) AS v ("policyId" uuid, "resourceId" bigint, key text, problem text, value text, provider text,
       "resourceType" text, currency text, cost numeric, "monthCosts" jsonb)`,
    [accountId, scope.organizationId, JSON.stringify(rows)],
  );
}

/** Counts an account's violations by kind.
 *  @returns the total */
export async function countViolations(client: pg.ClientBase, scope: OrgScope, accountId: string): Promise<number> {
  const { rows } = await client.query<{ violations: number }>(
    `/* tags: violation counts */ INSERT INTO tag_violation_counts
       (account_id, organization_id, policy_id, key, problem, provider, resource_type, currency, violations, has_other_costs)
     SELECT account_id, organization_id, policy_id, key, problem, provider, resource_type, currency, count(*), bool_or(${hasOtherCosts})
     FROM tag_violations WHERE account_id = $1 AND organization_id = $2 GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
     RETURNING violations`,
    [accountId, scope.organizationId],
  );
  return rows.reduce((sum, { violations }) => sum + violations, 0);
}

/** Minimum growth, as a fraction of the table, after which statistics are refreshed; autovacuum handles smaller changes. */
const notableGrowth = 0.1;

/** Refreshes planner statistics after an evaluation: until autovacuum runs, a list may take a hundred times as long.
 *  @param violations number of rows written by the evaluation */
export async function refreshStatistics(pool: pg.Pool, violations: number): Promise<void> {
  const { rows } = await pool.query<{ reltuples: number }>(
    `/* tags: statistics */ SELECT reltuples FROM pg_class WHERE oid = 'tag_violations'::regclass`,
  );
  const known = Math.max(rows[0]?.reltuples ?? 0, 1_000);
  if (violations >= known * notableGrowth)
    await pool.query('ANALYZE tag_violations, tag_violation_counts, tag_key_usage');
}
