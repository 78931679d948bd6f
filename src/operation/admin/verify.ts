import { costColumns, costMetrics, totalsOf, type ControlTotals } from '../../engine/codebook.ts';
import { openFacts } from '../../engine/fact-set.ts';
import { damageOf } from '../../engine/failures.ts';
import type { FactStore } from '../../engine/stores/fact-store.ts';
import { listWrongSums, textOfTotals } from '../../facts/costs/control-totals.ts';
import type { Deps } from '../../kit/deps.ts';
import { firstDay, type Month } from '../../kit/time/period.ts';
import { orgScope } from '../../tenancy/auth/scope.ts';

/** A billing month whose data is not what was loaded. */
export interface BadMonth {
  readonly organization: string;
  readonly account: string;
  readonly accountId: string;
  readonly month: Month;
  readonly problems: readonly string[];
}

interface Loaded {
  readonly organizationId: string;
  readonly organization: string;
  readonly accountId: string;
  readonly account: string;
  readonly month: Month;
  readonly totals: readonly ControlTotals[];
}

type VerifyDeps = Pick<Deps, 'pool' | 'engine' | 'factStore'>;

/** Verifies every billing month: its fact files exist with the size that was written, and they and the sums in the database
 *  add up to the control totals of its bills.
 *  @param onMonth called after each month */
export async function verifyMonths(
  deps: VerifyDeps,
  { signal, onMonth }: { readonly signal: AbortSignal; readonly onMonth: (done: number, of: number) => void },
): Promise<{ months: number; bad: BadMonth[] }> {
  const months = await listMonths(deps);
  const sums = await wrongSums(deps);
  const bad: BadMonth[] = [];
  for (const [index, month] of months.entries()) {
    signal.throwIfAborted();
    const found = await problemsOf(deps, month, { sums, signal });
    const problems = found.length > 0 ? await readAgain(deps, month, signal) : found;
    const { organization, account, accountId, month: name } = month;
    if (problems.length > 0) bad.push({ organization, account, accountId, month: name, problems });
    onMonth(index + 1, months.length);
  }
  return { months: months.length, bad };
}

/** A sync may have replaced the month since its totals were read. */
async function readAgain(deps: VerifyDeps, { accountId, month }: Loaded, signal: AbortSignal): Promise<string[]> {
  const now = (await listMonths(deps)).find((one) => one.accountId === accountId && one.month === month);
  return now ? problemsOf(deps, now, { sums: await wrongSums(deps), signal }) : [];
}

async function wrongSums({ pool }: VerifyDeps): Promise<Map<string, string>> {
  const { wrong } = await listWrongSums(pool);
  return new Map(wrong.map(({ account, month, reason }) => [`${account} ${month}`, reason]));
}

async function problemsOf(
  deps: VerifyDeps,
  month: Loaded,
  { sums, signal }: { readonly sums: ReadonlyMap<string, string>; readonly signal: AbortSignal },
): Promise<string[]> {
  const reason = sums.get(`${month.accountId} ${month.month}`);
  return [...(reason === undefined ? [] : [`sums: ${reason}`]), ...(await factProblems(deps, month, signal))];
}

async function listMonths({ pool }: VerifyDeps): Promise<Loaded[]> {
  const { rows } = await pool.query<Loaded>(
    `/* listMonths */ SELECT o.id AS "organizationId", o.name AS organization, a.id AS "accountId", a.name AS account,
       to_char(p.period, 'YYYY-MM') AS month, p.totals
     FROM billing_periods p JOIN accounts a ON a.id = p.account_id JOIN organizations o ON o.id = p.organization_id
     ORDER BY o.name, a.name, a.id, p.period`,
  );
  return rows;
}

const sumsSql = `SELECT BillingCurrency AS currency, sum(x_LineItems)::VARCHAR AS line_items, ${costMetrics
  .map((name) => `sum(${costColumns[name]})::VARCHAR AS ${name}`)
  .join(', ')} FROM facts GROUP BY ALL`;

/** Files of both grains hold the same charges. */
async function factProblems(deps: VerifyDeps, month: Loaded, signal: AbortSignal): Promise<string[]> {
  const due = textOf(month.totals);
  const problems: string[] = [];
  for (const grain of ['day', 'month'] as const) {
    const scope = orgScope(month.organizationId, null);
    const range = { accountIds: [month.accountId], start: null, end: null, grain, period: firstDay(month.month) };
    const facts = await openFacts(deps.pool, scope, range);
    try {
      const rows = await deps.engine.rows<Record<string, string>>(facts, {
        name: 'verify',
        sql: sumsSql,
        lane: 'job',
        signal,
      });
      const found = textOf(rows.map(totalsOf));
      if (found !== due)
        problems.push(`${grain} files add up to ${found || 'nothing'}, but the bills to ${due || 'nothing'}`);
    } catch (error) {
      signal.throwIfAborted();
      const keys = facts.parts.flatMap(({ files }) => files.map(({ key }) => key));
      for (const problem of await fileProblems(deps.factStore, keys, error))
        problems.push(`${grain} files: ${problem}`);
    }
  }
  return problems;
}

/** Explains why files cannot be read. */
async function fileProblems(store: FactStore, keys: readonly string[], error: unknown): Promise<string[]> {
  const missing: string[] = [];
  for (const key of keys) if (!(await store.has(key))) missing.push(key);
  if (missing.length > 0) return missing.map((key) => `file ${key} is missing`);
  const damage = damageOf(error);
  if (damage) return [`file ${damage.key ?? keys.join(' or ')} is damaged: it ${damage.reason}`];
  return [error instanceof Error ? error.message : String(error)];
}

function textOf(totals: readonly ControlTotals[]): string {
  return totals.map(textOfTotals).toSorted().join('; ');
}
