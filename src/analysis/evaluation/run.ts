import { refreshCoverage } from '../../facts/coverage/run.ts';
import { fillInvoices } from '../../facts/invoices/fill.ts';
import { refreshInventory } from '../../facts/inventory/refresh.ts';
import { evaluateVirtualTags } from '../../facts/allocation/evaluate.ts';
import { evaluateTags } from '../../facts/tags/evaluation/evaluate.ts';
import { queueChecks } from '../../jobs/checks.ts';
import type { Deps } from '../../kit/deps.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { evaluateAnomalies, type AnomalyDeps } from '../anomalies/evaluation/run.ts';
import { excludeUsage } from '../commitments/run.ts';
import { listEndingResources } from '../recommendations/evaluation/write-store.ts';
import { evaluateRecommendations } from '../recommendations/evaluation/run.ts';
import type pg from 'pg';
import type { Db } from '../../kit/db.ts';

/** Returns all accounts of all organizations, connected or not, for the schedule. */
function listAllAccounts(db: Db): Promise<{ id: string; organizationId: string }[]> {
  return db.account.findMany({ select: { id: true, organizationId: true }, orderBy: { id: 'asc' } });
}

/** Vacuums and analyzes the tables that an evaluation writes, which enables index-only scans and refreshes planner
 *  statistics. Skips locked tables. */
async function tidy(pool: pg.Pool): Promise<void> {
  for (const table of ['inventory_resources', 'tag_violations', 'recommendations'])
    await pool.query(`/* tidy */ VACUUM (ANALYZE, SKIP_LOCKED) ${table}`);
}

/** Dependencies of an evaluation. */
export type EvaluationDeps = AnomalyDeps;

/** Number of resources from which on an evaluation writes so much that lists should not wait for autovacuum. */
const many = 10_000;

/** Evaluates an account's bills and listing: inventory, tag usage and policy violations, virtual tags, recommendations, usage to exclude
 *  from commitment plans, and anomalies. Each step reads what the previous one wrote. Idempotent. Each step first queries
 *  the engine, then writes in a transaction under the account's lock; none does anything once the account is gone. */
export async function evaluateAccount(deps: EvaluationDeps, scope: OrgScope, accountId: string): Promise<void> {
  await fillInvoices(deps, scope, accountId);
  await refreshCoverage(deps, scope, accountId);
  const resources = await refreshInventory(deps, scope, accountId);
  await evaluateTags(deps, scope, accountId);
  await evaluateVirtualTags(deps, scope, accountId);
  await evaluateRecommendations(deps, scope, accountId);
  await excludeUsage(deps, scope, accountId, await listEndingResources(deps, scope, accountId));
  await evaluateAnomalies(deps, scope, accountId);
  if (resources >= many) await tidy(deps.pool);
}

/** Queues an evaluation of every account and the budget and alert rule checks of their organizations: resources, violations,
 *  recommendations and months age even without a new bill. */
export async function queueEvaluations(deps: Pick<Deps, 'db' | 'queue'>): Promise<void> {
  const accounts = await listAllAccounts(deps.db);
  for (const { id: accountId, organizationId } of accounts)
    await deps.queue.add('evaluate', { organizationId, accountId });
  for (const organizationId of new Set(accounts.map((account) => account.organizationId)))
    await queueChecks(deps, organizationId);
}
