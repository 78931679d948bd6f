import type pg from 'pg';
import { costColumns, costMetrics, chargeCategories, grainCodes, idOf } from '../../engine/codebook.ts';
import { openFacts } from '../../engine/fact-set.ts';
import { literal } from '../../engine/sql.ts';
import { queueChecks } from '../../jobs/checks.ts';
import type { Deps } from '../../kit/deps.ts';
import type { Day } from '../../kit/time/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { readThenWrite } from '../consistent.ts';
import { chargeRelations, virtualTagColumns } from '../costs/reading/fact-sql.ts';
import { tagBasis } from '../costs/reading/tag-basis.ts';
import { virtualRollup } from '../costs/reading/planner.ts';
import {
  goLive,
  listDue,
  readDefinitions,
  replaceEvaluation,
  type EvaluatedCost,
  type VirtualTagDefinition,
} from './evaluation-store.ts';

type EvaluationDeps = Pick<Deps, 'pool' | 'engine'>;

/** Evaluates the billing months of an account for which an enabled virtual tag has had no evaluation since their last load.
 *  Until a month is evaluated, answers read its facts. */
export async function evaluateVirtualTags(deps: EvaluationDeps, scope: OrgScope, accountId: string): Promise<void> {
  for (const tag of await readDefinitions(deps.pool, scope))
    for (const due of await listDue(deps.pool, scope, { tag, accountId })) await evaluateMonth(deps, scope, tag, due);
}

/** Evaluates all billing months of an organization after the rules of virtual tags have changed, then lets answers use them, and
 *  checks budgets and alert rules, whose spend can change with them. */
export async function evaluateChangedTags(
  deps: EvaluationDeps & Pick<Deps, 'queue'>,
  scope: OrgScope,
  signal: AbortSignal,
): Promise<void> {
  for (const tag of await readDefinitions(deps.pool, scope)) {
    for (const due of await listDue(deps.pool, scope, { tag, accountId: null })) {
      signal.throwIfAborted();
      await evaluateMonth(deps, scope, tag, due);
    }
    await goLive(deps.pool, scope, tag);
  }
  await queueChecks(deps, scope.organizationId);
}

/** Maximum number of values of a month in a rollup. With more, such as one for each resource, reading the facts is as fast. */
const mostValues = 2_000;

interface DueMonth {
  readonly accountId: string;
  /** First day of the billing month. */
  readonly period: Day;
}

async function evaluateMonth(
  deps: EvaluationDeps,
  scope: OrgScope,
  tag: VirtualTagDefinition,
  { accountId, period }: DueMonth,
): Promise<void> {
  const rollup = virtualRollup(tag.slot, tag.revision);
  await readThenWrite(deps, scope, accountId, {
    read: async () => readCosts(deps, scope, tag, { accountId, period }),
    write: async (client: pg.PoolClient, costs) =>
      replaceEvaluation(client, scope, { tag, rollup, accountId, period }, costs),
  });
}

/** Reads the costs of a billing month by value, day and month; none if there are too many values. */
async function readCosts(
  { pool, engine }: EvaluationDeps,
  scope: OrgScope,
  { rules }: VirtualTagDefinition,
  { accountId, period }: DueMonth,
): Promise<EvaluatedCost[]> {
  const facts = await openFacts(pool, scope, { accountIds: [accountId], start: null, end: null, grain: 'day', period });
  const slice = { organizationId: scope.organizationId, accountIds: [accountId] };
  const virtual = virtualTagColumns(await tagBasis(pool, slice, new Map([['', rules]])), ['']);
  const metrics = costMetrics.map((metric) => `sum(${costColumns[metric]}) AS ${metric}`);
  const sums = `SELECT ChargePeriodStart::DATE AS date, x_Provider AS provider, BillingCurrency AS currency,
  list_position([${chargeCategories.map(literal).join(', ')}], ChargeCategory) AS category,
  ${virtual.attributes.map(({ name, sql }) => `${sql} AS ${name}, `).join('')}sum(x_LineItems) AS line_items, ${metrics.join(', ')}
FROM facts GROUP BY ALL`;
  const totals = ['line_items', ...costMetrics].map((name) => `sum(${name}) AS ${name}`).join(', ');
  const by = (grain: keyof typeof grainCodes, date: string) =>
    `SELECT ${grainCodes[grain]} AS grain, ${date} AS date, provider, currency, category, v0 AS value, ${totals} FROM charges
  WHERE (SELECT count(DISTINCT v0) FROM combinations) <= ${mostValues} GROUP BY ALL`;
  const sql = `WITH ${chargeRelations(virtual, sums)}
${by('day', 'date')} UNION ALL ${by('month', `date_trunc('month', date)::DATE`)}`;
  const rows = await engine.rows<Omit<EvaluatedCost, 'valueId'>>(facts, { name: 'virtualTag', sql, lane: 'job' });
  return rows.map((row) => ({ ...row, valueId: idOf(row.value) }));
}
