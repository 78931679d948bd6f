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
import { databaseCodes } from '../../kit/database/away.ts';
import { vacuumChanged } from '../../kit/database/tidy.ts';
import type { Db } from '../../kit/db.ts';

/** Returns all accounts of all organizations, connected or not, for the schedule. */
function listAllAccounts(db: Db): Promise<{ id: string; organizationId: string }[]> {
  return db.account.findMany({ select: { id: true, organizationId: true }, orderBy: { id: 'asc' } });
}

/** Tables that evaluations write. */
const evaluatedTables = [
  'inventory_resources',
  'inventory_counts',
  'tag_violations',
  'tag_violation_counts',
  'tag_key_usage',
  'tag_key_costs',
  'coverage_days',
  'recommendations',
  'recommendation_sums',
  'cost_rollups',
  'virtual_tag_months',
];

/** Dependencies of an evaluation. */
export type EvaluationDeps = AnomalyDeps & Pick<Deps, 'log'>;

type Step = (deps: EvaluationDeps, scope: OrgScope, accountId: string) => Promise<unknown>;

/** The steps of an evaluation, in order: some read the results of earlier ones, such as the inventory. */
const steps: readonly Step[] = [
  fillInvoices,
  refreshCoverage,
  refreshInventory,
  evaluateTags,
  evaluateVirtualTags,
  evaluateRecommendations,
  async (deps, scope, accountId) =>
    excludeUsage(deps, scope, accountId, await listEndingResources(deps, scope, accountId)),
  evaluateAnomalies,
];

/** Delay before a superseded evaluation starts again, in milliseconds; the end of the load that superseded it starts it at once. */
const supersededMs = 30_000;

/** Evaluates an account's bills and listing: invoices, coverage, inventory, tag usage and policy violations, virtual tags,
 *  recommendations, usage to exclude from commitment plans, and anomalies. Idempotent. Each step first queries the engine,
 *  then writes in a transaction under the account's lock; none does anything once the account is gone. A load does not wait:
 *  it ends the evaluation, which is queued again.
 *  @param signal ends it before its next step */
export async function evaluateAccount(
  deps: EvaluationDeps,
  scope: OrgScope,
  accountId: string,
  signal = new AbortController().signal,
): Promise<void> {
  const before = await stateOf(deps.db, scope, accountId);
  try {
    for (const step of steps) {
      signal.throwIfAborted();
      if ((await stateOf(deps.db, scope, accountId))?.version !== before?.version)
        return await postpone(deps, scope, accountId);
      await step(deps, scope, accountId);
    }
    await vacuumChanged(deps.pool, evaluatedTables);
  } catch (error) {
    if (signal.aborted || !isCancelled(error)) throw error;
    const now = await stateOf(deps.db, scope, accountId);
    // Otherwise a statement took too long.
    if (now?.version === before?.version && !now?.isSyncing) throw error;
    await postpone(deps, scope, accountId);
  }
}

/** Returns whether PostgreSQL ended a statement: for a load, or after its time limit. */
function isCancelled(error: unknown): boolean {
  return error instanceof Error && databaseCodes(error).includes('57014');
}

async function postpone(deps: EvaluationDeps, { organizationId }: OrgScope, accountId: string): Promise<void> {
  deps.log.info({ accountId }, 'A load supersedes the evaluation');
  const runAt = new Date(deps.clock.now().getTime() + supersededMs);
  await deps.queue.add('evaluate', { organizationId, accountId }, { runAt });
}

/** Returns the version of an account's bills and whether a sync is running; null if the account is gone. */
async function stateOf(
  db: Db,
  { organizationId }: OrgScope,
  id: string,
): Promise<{ version: number; isSyncing: boolean } | null> {
  const select = { version: true, sync: { select: { status: true } } } as const;
  const account = await db.account.findFirst({ where: { organizationId, id }, select });
  return account && { version: account.version, isSyncing: account.sync?.status === 'running' };
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
