import type pg from 'pg';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { TaggedResource, Violation } from './check.ts';
import { parseRules, type TagPolicy } from './rule.ts';
import { taggable } from './taggable.ts';

/** A resource as policies judge it, with what its violations show. */
export interface JudgedResource extends TaggedResource {
  /** Its id in the account's bills, as a decimal. */
  readonly resourceId: string;
  readonly currency: string;
  /** EffectiveCost of the last 30 days, as a decimal. */
  readonly cost: string;
}

/** A resource's violations. */
export interface FoundViolation extends Violation {
  readonly resource: JudgedResource;
}

const resourcesPerBatch = 5_000;

/** How far back a resource's charges tell whether it can be tagged: longer than what is billed by the month is apart. */
const taggableDays = 93;

/** The enabled policies that are about an account. */
export async function readPoliciesOf(client: pg.ClientBase, scope: OrgScope, accountId: string): Promise<TagPolicy[]> {
  const { rows } = await client.query<Omit<TagPolicy, 'rules'> & { rules: unknown }>(
    `/* tags: policies */ SELECT id, name, rules, provider, account_id AS "accountId", resource_types AS "resourceTypes",
       enabled, created_by_id AS "createdBy", created_at AS "createdAt"
     FROM tag_policies WHERE organization_id = $1 AND enabled AND (account_id IS NULL OR account_id = $2) ORDER BY id`,
    [scope.organizationId, accountId],
  );
  return rows.map((row) => ({ ...row, rules: parseRules(row.rules) }));
}

/** Ids of the resources that nobody can tag: nothing but untaggable charges speaks of them, and no listing has them. */
export async function readUntaggable(client: pg.ClientBase, scope: OrgScope, accountId: string): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>(
    `/* tags: untaggable */
     SELECT f.resource_id::text AS id FROM cost_facts f
     WHERE f.account_id = $1 AND f.organization_id = $2 AND f.resource_id <> 0 AND f.charge_date >
       (SELECT complete_through - ${taggableDays} FROM accounts WHERE id = $1 AND organization_id = $2)
     GROUP BY f.resource_id HAVING NOT bool_or(${taggable})
     EXCEPT SELECT resource_id::text FROM inventory_listings WHERE account_id = $1 AND organization_id = $2`,
    [accountId, scope.organizationId],
  );
  return new Set(rows.map(({ id }) => id));
}

/** The account's resources that are not gone, in batches. */
export async function* readResources(
  client: pg.ClientBase,
  scope: OrgScope,
  accountId: string,
): AsyncGenerator<JudgedResource[]> {
  let after: string | null = null;
  for (;;) {
    const { rows }: pg.QueryResult<Row> = await client.query<Row>(
      `/* tags: resources */ SELECT resource_id::text AS "resourceId", provider, resource_type AS "resourceType", tags,
         currency, cost_last_30_days::text AS cost
       FROM inventory_resources WHERE account_id = $1 AND organization_id = $2 AND gone_at IS NULL
       AND ($3::bigint IS NULL OR resource_id > $3::bigint) ORDER BY resource_id LIMIT ${resourcesPerBatch}`,
      [accountId, scope.organizationId, after],
    );
    if (rows.length === 0) return;
    yield rows.map((row) => ({ ...row, tags: textsOf(row.tags) }));
    after = rows.at(-1)?.resourceId ?? null;
  }
}

type Row = Omit<JudgedResource, 'tags'> & { tags: Readonly<Record<string, unknown>> };

function textsOf(tags: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tags).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

/** Takes away what an earlier evaluation of the account found. */
export async function deleteViolations(client: pg.ClientBase, scope: OrgScope, accountId: string): Promise<void> {
  for (const table of ['tag_violations', 'tag_violation_counts'])
    await client.query(`/* tags: violations */ DELETE FROM ${table} WHERE account_id = $1 AND organization_id = $2`, [
      accountId,
      scope.organizationId,
    ]);
}

/** Writes what was found. */
export async function insertViolations(
  client: pg.ClientBase,
  scope: OrgScope,
  accountId: string,
  found: readonly FoundViolation[],
): Promise<void> {
  if (found.length === 0) return;
  const columns = [
    found.map(({ policyId }) => policyId),
    found.map(({ resource }) => resource.resourceId),
    found.map(({ key }) => key),
    found.map(({ problem }) => problem),
    found.map(({ value }) => value),
    found.map(({ resource }) => resource.provider),
    found.map(({ resource }) => resource.resourceType),
    found.map(({ resource }) => resource.currency),
    found.map(({ resource }) => resource.cost),
  ];
  await client.query(
    `/* tags: violations */ INSERT INTO tag_violations (account_id, organization_id, policy_id, resource_id, key, problem,
       value, provider, resource_type, currency, cost)
     SELECT $1::uuid, $2::uuid, * FROM unnest($3::uuid[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[],
       $9::text[], $10::text[], $11::numeric[])`,
    [accountId, scope.organizationId, ...columns],
  );
}

/** How many violations of one kind there are. */
export interface ViolationCount extends Pick<FoundViolation, 'policyId' | 'key' | 'problem'> {
  readonly resource: Pick<JudgedResource, 'provider' | 'resourceType' | 'currency'>;
  readonly violations: number;
}

/** Writes how many there are of each kind. */
export async function insertCounts(
  client: pg.ClientBase,
  scope: OrgScope,
  accountId: string,
  counts: readonly ViolationCount[],
): Promise<void> {
  const columns = [
    counts.map(({ policyId }) => policyId),
    counts.map(({ key }) => key),
    counts.map(({ problem }) => problem),
    counts.map(({ resource }) => resource.provider),
    counts.map(({ resource }) => resource.resourceType),
    counts.map(({ resource }) => resource.currency),
    counts.map(({ violations }) => violations),
  ];
  await client.query(
    `/* tags: violation counts */ INSERT INTO tag_violation_counts
       (account_id, organization_id, policy_id, key, problem, provider, resource_type, currency, violations)
     SELECT $1::uuid, $2::uuid, * FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
       $9::int[])`,
    [accountId, scope.organizationId, ...columns],
  );
}

/** The planner's own round sees to what grows by less than this part. */
const notableGrowth = 0.1;

/** Tells the planner how much an evaluation wrote: until its own round comes by, a list may take a hundred times as long.
 *  @param violations rows that the evaluation wrote */
export async function refreshStatistics(pool: pg.Pool, violations: number): Promise<void> {
  const { rows } = await pool.query<{ reltuples: number }>(
    `/* tags: statistics */ SELECT reltuples FROM pg_class WHERE oid = 'tag_violations'::regclass`,
  );
  const known = Math.max(rows[0]?.reltuples ?? 0, 1_000);
  if (violations >= known * notableGrowth)
    await pool.query('ANALYZE tag_violations, tag_violation_counts, tag_key_usage');
}
