import { exactDaysOf, type ExactRequest } from '../../facts/costs/history/exact.ts';
import type { Ledger, MissingBill } from '../../facts/costs/ledger.ts';
import { metricDaysOf, requireMetric } from '../../facts/metrics/run.ts';
import { forecastMonthOf } from '../../analysis/forecast/run.ts';
import type { Deps } from '../../kit/deps.ts';
import { eachConcurrently } from '../../kit/process/limiter.ts';
import { amountOf, microsOf } from '../../kit/money.ts';
import { lastCompleteDay } from '../../kit/time/compared-days.ts';
import { addDays, addMonths, dayOf, daysIn, firstDay, monthOf, type Day } from '../../kit/time/period.ts';
import { openOwned, type InOwnScope } from '../../analysis/budgets/spend.ts';
import { askAbout } from '../../analysis/budgets/target.ts';
import { announce } from '../notifications/announce.ts';
import {
  daysNeeded,
  excludedOf,
  figureOf,
  missingOf,
  money,
  triggers,
  valueOf,
  type AlertRule,
  type Days,
  type Excluded,
  type Figure,
} from './rule.ts';
import { recipientsOf } from './notify-of-budget-alert.ts';
import { ruleAnnouncement } from './rule-announcement.ts';
import { findAccount, holdRule, insertFiring, listEnabledRules, listFirings, setEvaluatedFrom } from './store.ts';

type CheckDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'queue' | 'engine'>;

/** Maximum number of concurrent database queries. */
const atOnce = 4;

/** Complete days evaluated: several can become complete at once, and restated days count too. */
const daysBack = 7;

/** A rule with its owner's current scope and the ledger of that scope. */
type Opened = InOwnScope<AlertRule>;

/** A day on which a rule's condition holds. */
interface Finding {
  readonly day: Day;
  readonly figure: Figure;
  readonly excluded: Excluded;
  readonly missingBills: readonly MissingBill[];
}

/** Evaluates an organization's enabled rules for the last complete days and announces each rule at most once per day.
 *  Idempotent, even when run concurrently.
 *  @throws the first error of a rule, after all others were evaluated */
export async function checkAlertRules(deps: CheckDeps, organizationId: string): Promise<void> {
  const rules = await listEnabledRules(deps.db, organizationId);
  if (rules.length === 0) return;
  const today = dayOf(deps.clock.now());
  const firings = await listFirings(deps.db, organizationId, addDays(today, -400));
  const fired = new Set(firings.map(({ ruleId, day }) => `${ruleId} ${day}`));
  await eachConcurrently(await openOwned(deps, organizationId, rules), atOnce, async (opened) => {
    const { record: rule } = opened;
    const last = settledDay(opened, today);
    if (last === null) return;
    if (rule.evaluatedFrom === null) await setEvaluatedFrom(deps.db, rule, last);
    const days = daysToEvaluate(rule, last).filter((day) => !fired.has(`${rule.id} ${day}`));
    if (days.length === 0) return;
    for (const finding of await findingsOf(deps, opened, { days, today })) await fire(deps, opened, finding);
  });
}

/** Returns the last day that is complete in the bills of all connected accounts of a rule. Ignores stopped accounts:
 *  otherwise one would suppress all alerts. */
function settledDay({ record: rule, ledger }: Opened, today: Day): Day | null {
  const connected = accountsOf(rule, ledger).filter(({ isConnected }) => isConnected);
  const completeThrough = connected.flatMap((account) => account.completeThrough ?? []);
  return lastCompleteDay(completeThrough, today);
}

function accountsOf({ accountId }: AlertRule, { accounts }: Ledger): Ledger['accounts'] {
  return accountId === null ? accounts : accounts.filter(({ id }) => id === accountId);
}

/** Returns the days to evaluate: only the last one for metrics of the current month, whose earlier values add nothing; else
 *  each day. */
function daysToEvaluate({ metric, evaluatedFrom }: AlertRule, last: Day): Day[] {
  const isRunning = metric === 'month_to_date_cost' || metric === 'forecasted_month_cost';
  const first = isRunning ? last : addDays(last, 1 - daysBack);
  const from = evaluatedFrom ?? last;
  return daysIn({ start: first > from ? first : from, end: addDays(last, 1) });
}

async function findingsOf(
  deps: CheckDeps,
  opened: Opened,
  { days, today }: { days: readonly Day[]; today: Day },
): Promise<Finding[]> {
  const { record: rule, ledger } = opened;
  const { metric, windowDays } = rule;
  const known = await readDays(deps, opened, { days, today });
  const findings: Finding[] = [];
  for (const day of days) {
    const figure =
      metric === 'forecasted_month_cost'
        ? await forecastFigure(deps, ledger, { ...questionOf(rule, ledger), today })
        : figureOf({ metric, windowDays }, known, day);
    const excluded = excludedOf(rule, known, { day, today });
    const missingBills = missingOf(rule, known, { day, today });
    if (figure && triggers(rule, figure, excluded, missingBills.length > 0))
      findings.push({ day, figure, excluded, missingBills });
  }
  return findings;
}

async function forecastFigure(
  deps: CheckDeps,
  ledger: Ledger,
  question: Omit<ExactRequest, 'range'> & { today: Day },
): Promise<Figure | null> {
  const { forecast } = await forecastMonthOf(deps, ledger, { ...question, lane: 'job' });
  return forecast === null ? null : money(amountOf(microsOf(forecast)));
}

async function readDays(
  deps: CheckDeps,
  { record: rule, ledger }: Opened,
  { days, today }: { days: readonly Day[]; today: Day },
): Promise<Days> {
  const [first = today] = days;
  const range = { start: daysNeeded(rule, first).start, end: firstDay(addMonths(monthOf(today), 1)) };
  const { unitMetricKey: key } = rule;
  const quantities = key === null ? null : await metricDaysOf(deps, ledger.scope, key, { range, labels: {} });
  const answer = await exactDaysOf(deps, ledger, { ...questionOf(rule, ledger), range });
  const from = accountsOf(rule, ledger)
    .flatMap(({ dataFrom }) => dataFrom ?? [])
    .sort()[0];
  return { ...answer, from: from ?? null, quantities: quantities?.days ?? new Map() };
}

/** Returns a rule's target as a cost request in the organization's currency. */
function questionOf(rule: AlertRule, { currency }: Ledger): Omit<ExactRequest, 'range'> {
  return { currency, costMetric: 'effective', ...askAbout(rule) };
}

/** Announces a finding, unless the rule has changed since it was read: the next evaluation uses the new rule. */
async function fire(
  deps: CheckDeps,
  { record: rule, scope, ledger }: Opened,
  { day, figure, excluded, missingBills }: Finding,
): Promise<void> {
  const { organizationId, accountId } = rule;
  const account = accountId === null ? null : await findAccount(deps.db, organizationId, accountId);
  const { unitMetricKey: key } = rule;
  const unit = key === null ? null : await requireMetric(deps, scope, key, 'unit_metric_key');
  const about = { account: account?.name ?? null, unit, currency: ledger.currency };
  const announcement = ruleAnnouncement(rule, { ...about, day, figure: valueOf(figure), excluded, missingBills });
  const recipients = recipientsOf(rule, scope);
  await deps.db.$transaction(async (db) => {
    if (!(await holdRule(db, rule))) return;
    const firing = { day, figure: valueOf(figure), firedAt: deps.clock.now() };
    if (await insertFiring(db, rule, firing)) await announce(db, deps, organizationId, { announcement, recipients });
  });
}
