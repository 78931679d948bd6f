import type pg from 'pg';
import { costMetrics, virtualRollups, type CostMetric } from '../../engine/codebook.ts';
import type { Day } from '../../kit/time/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { virtualRollup } from '../costs/reading/planner.ts';
import type { ValueRules } from './rule-sql.ts';
import { storedRules } from './rules.ts';

/** A virtual tag to evaluate. */
export interface VirtualTagDefinition {
  readonly id: string;
  readonly slot: number;
  readonly revision: number;
  readonly rules: ValueRules;
}

/** Cost of a value in one day or month; amounts as exact decimals. */
export interface EvaluatedCost extends Readonly<Record<CostMetric, string>> {
  readonly grain: number;
  readonly date: Day;
  readonly provider: string;
  readonly currency: string;
  /** Code of the charge category. */
  readonly category: number;
  readonly value: string;
  readonly valueId: string;
  readonly line_items: string;
}

/** Returns the enabled virtual tags of an organization with their newest rules. */
export async function readDefinitions(
  pool: pg.Pool,
  { organizationId }: Pick<OrgScope, 'organizationId'>,
): Promise<VirtualTagDefinition[]> {
  const { rows } = await pool.query<{
    id: string;
    slot: number;
    revision: number;
    default_value: string;
    rules: unknown;
  }>(
    `/* readDefinitions */ SELECT id, slot, revision, default_value, rules FROM virtual_tags
     WHERE organization_id = $1 AND enabled ORDER BY slot`,
    [organizationId],
  );
  return rows.map(({ default_value: defaultValue, rules, ...tag }) => ({
    ...tag,
    rules: { defaultValue, rules: storedRules(rules) },
  }));
}

/** Joins billing months with their evaluation. Parameters: organization, virtual tag, revision, rollup. */
const periods = `billing_periods b LEFT JOIN virtual_tag_months m ON m.account_id = b.account_id AND m.period = b.period
  AND m.organization_id = $1 AND m.virtual_tag_id = $2 AND m.revision = $3 AND m.rollup = $4 AND m.load_id = b.load_id
  WHERE b.organization_id = $1`;

function parametersOf({ organizationId }: Pick<OrgScope, 'organizationId'>, tag: Revision): unknown[] {
  return [organizationId, tag.id, tag.revision, virtualRollup(tag.slot, tag.revision)];
}

type Revision = Pick<VirtualTagDefinition, 'id' | 'slot' | 'revision'>;

/** Returns the billing months that have not been evaluated since their last load, newest first.
 *  @param accountId null: of all accounts */
export async function listDue(
  pool: pg.Pool,
  scope: Pick<OrgScope, 'organizationId'>,
  { tag, accountId }: { readonly tag: Revision; readonly accountId: string | null },
): Promise<{ accountId: string; period: Day }[]> {
  const { rows } = await pool.query<{ accountId: string; period: Day }>(
    `/* listDue */ SELECT b.account_id AS "accountId", to_char(b.period, 'YYYY-MM-DD') AS period FROM ${periods}
       AND m.period IS NULL AND ($5::uuid IS NULL OR b.account_id = $5) ORDER BY b.period DESC, b.account_id`,
    [...parametersOf(scope, tag), accountId],
  );
  return rows;
}

/** Counts the billing months in scope: those evaluated for a revision, and all. */
export async function countEvaluated(
  pool: pg.Pool,
  scope: OrgScope,
  tag: Revision,
): Promise<{ done: number; total: number }> {
  const { rows } = await pool.query<{ done: number; total: number }>(
    `/* countEvaluated */ SELECT count(m.period)::int AS done, count(*)::int AS total FROM ${periods}
       AND ($5::uuid[] IS NULL OR b.account_id = ANY($5))`,
    [...parametersOf(scope, tag), scope.accountIds],
  );
  return rows[0] ?? { done: 0, total: 0 };
}

/** Replaces the evaluation of a billing month, in a transaction that holds the account's lock.
 *  @param costs empty: there are too many values for a rollup */
export async function replaceEvaluation(
  client: pg.ClientBase,
  { organizationId }: Pick<OrgScope, 'organizationId'>,
  month: { readonly tag: Revision; readonly rollup: number; readonly accountId: string; readonly period: Day },
  costs: readonly EvaluatedCost[],
): Promise<void> {
  const { tag, rollup, accountId, period } = month;
  const place = [accountId, organizationId, period, rollup];
  await client.query(
    `/* replaceEvaluation */ DELETE FROM cost_rollups
     WHERE account_id = $1 AND organization_id = $2 AND billing_period = $3 AND rollup = $4`,
    place,
  );
  const rows = JSON.stringify(costs);
  await client.query(
    `/* replaceEvaluation */ INSERT INTO virtual_values (account_id, organization_id, id, value)
     SELECT DISTINCT $1::uuid, $2::uuid, "valueId", value FROM json_to_recordset($3) AS r ("valueId" bigint, value text)
     ON CONFLICT (account_id, id) DO NOTHING`,
    [accountId, organizationId, rows],
  );
  const amounts = costMetrics.map((metric) => `${metric} numeric`).join(', ');
  await client.query(
    `/* replaceEvaluation */ INSERT INTO cost_rollups (account_id, organization_id, billing_period, rollup, grain, date, provider,
       currency, charge_category, virtual_value_id, line_items, ${costMetrics.join(', ')})
     SELECT $1, $2, $3, $4, grain, date, provider, currency, category, "valueId", line_items, ${costMetrics.join(', ')}
     FROM json_to_recordset($5) AS r (grain smallint, date date, provider text, currency text, category smallint,
       "valueId" bigint, line_items bigint, ${amounts})`,
    [...place, rows],
  );
  await client.query(
    `/* replaceEvaluation */ INSERT INTO virtual_tag_months (account_id, organization_id, period, rollup, virtual_tag_id, revision, load_id, rolled_up)
     SELECT $1, $2, $3, $4, $5, $6, load_id, $7 FROM billing_periods WHERE account_id = $1 AND organization_id = $2 AND period = $3
     ON CONFLICT (account_id, period, rollup) DO UPDATE SET virtual_tag_id = excluded.virtual_tag_id,
       revision = excluded.revision, load_id = excluded.load_id, rolled_up = excluded.rolled_up`,
    [...place, tag.id, tag.revision, costs.length > 0],
  );
}

/** Deletes the evaluations of a billing month, which is about to be replaced. */
export async function deleteEvaluations(
  client: pg.ClientBase,
  { organizationId }: Pick<OrgScope, 'organizationId'>,
  accountId: string,
  period: Day,
): Promise<void> {
  await client.query(
    `/* deleteEvaluations */ DELETE FROM cost_rollups WHERE account_id = $1 AND organization_id = $2 AND billing_period = $3
       AND rollup BETWEEN ${virtualRollups.first} AND ${virtualRollups.last}`,
    [accountId, organizationId, period],
  );
}

/** Lets answers use a revision, unless its virtual tag has changed meanwhile. */
export async function goLive(
  pool: pg.Pool,
  { organizationId }: Pick<OrgScope, 'organizationId'>,
  { id, revision }: Revision,
): Promise<void> {
  await pool.query(
    `/* goLive */ UPDATE virtual_tags SET live_revision = revision,
       live = jsonb_build_object('defaultValue', default_value, 'rules', rules, 'splits', splits)
     WHERE organization_id = $1 AND id = $2 AND revision = $3 AND live_revision <> revision`,
    [organizationId, id, revision],
  );
}
