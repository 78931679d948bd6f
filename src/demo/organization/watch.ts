import { createAlertRule, pageRules } from '../../actions/alerts/change.ts';
import type { RuleInput } from '../../actions/alerts/input.ts';
import { createReport, pageReports, type ReportInput } from '../../actions/reports/reports.ts';
import type { ScheduleInput } from '../../actions/schedules/input.ts';
import { createSchedule, pageSchedules } from '../../actions/schedules/schedules.ts';
import { createBudget } from '../../analysis/budgets/change.ts';
import type { BudgetInput } from '../../analysis/budgets/input.ts';
import { viewBudgets } from '../../analysis/budgets/list.ts';
import type { Deps } from '../../kit/deps.ts';
import { addMonths, dayOf, firstDay, lastDay, monthOf, type Day } from '../../kit/time/period.ts';
import type { Actor } from '../../tenancy/audit/store.ts';
import type { Viewer } from '../../tenancy/auth/scope.ts';

/** Budgets of the sample organization: most are not exceeded, some are. `cloud` is an index into the
 *  accounts of `syncAccounts`. */
const demoBudgets: readonly (BudgetInput & { readonly cloud?: number })[] = [
  { name: 'All clouds', amount: 115_000, alertThresholds: [50, 80, 100] },
  { name: 'AWS production', amount: 45_000, cloud: 0 },
  { name: 'Language models on Azure', amount: 9_000, provider: 'azure', service: 'Azure OpenAI' },
  { name: 'BigQuery', amount: 8_000, provider: 'gcp', service: 'BigQuery', alertThresholds: [60, 90, 100, 120] },
  { name: 'Storefront team', amount: 60_000, period: 'quarterly', tagKey: 'virtual:team', tagValue: 'storefront' },
];

const demoRules: readonly RuleInput[] = [
  { name: 'Daily cost above 5,000', metric: 'daily_cost', operator: 'gt', threshold: 5_000 },
  {
    name: 'BigQuery up 25% in a week',
    metric: 'week_over_week_percent',
    operator: 'gte',
    threshold: 25,
    service: 'BigQuery',
  },
  { name: 'Forecast above the monthly plan', metric: 'forecasted_month_cost', operator: 'gt', threshold: 112_000 },
  {
    name: 'Staging above 400 per day',
    metric: 'daily_cost',
    operator: 'gte',
    threshold: 400,
    tagKey: 'env',
    tagValue: 'staging',
  },
];

/** Schedules whose reports go to one address. */
const demoSchedules = (recipient: string): readonly ScheduleInput[] => [
  {
    name: 'Weekly costs by service',
    type: 'cost_by_service',
    format: 'pdf',
    frequency: 'weekly',
    day: 1,
    hour: 8,
    timeZone: 'Europe/Berlin',
  },
  {
    name: 'Monthly costs for finance',
    type: 'cost_by_account',
    format: 'xlsx',
    frequency: 'monthly',
    day: 3,
    hour: 7,
    timeZone: 'America/New_York',
  },
  {
    name: 'Monthly showback by team',
    type: 'showback',
    format: 'pdf',
    filters: { tag_key: 'virtual:team' },
    frequency: 'monthly',
    day: 3,
    hour: 8,
    timeZone: 'Europe/Berlin',
    valueRecipients: [{ value: 'storefront', recipients: [recipient] }],
  },
];

const first = { skip: 0, take: 1, select: { id: true } } as const;

type WatchDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'queue' | 'config' | 'engine'>;

/** Creates the sample's budgets, alert rules, report schedules and reports; skips each kind that the
 *  organization already has.
 *  @param ids accounts in the order of `syncAccounts` */
export async function watch(deps: WatchDeps, viewer: Viewer, actor: Actor, ids: readonly string[]): Promise<void> {
  const { scope } = viewer;
  if ((await viewBudgets(deps, scope, {})).length === 0)
    for (const { cloud, ...budget } of demoBudgets)
      await createBudget(deps, viewer, actor, {
        ...budget,
        accountId: cloud === undefined ? null : (ids[cloud] ?? null),
      });
  if ((await pageRules(deps, scope, {}, first)).total === 0)
    for (const rule of demoRules) await createAlertRule(deps, viewer, actor, rule);
  if ((await pageSchedules(deps, scope, {}, first)).total === 0)
    for (const schedule of demoSchedules(viewer.email))
      await createSchedule(deps, viewer, actor, { ...schedule, recipients: [viewer.email] });
  if ((await pageReports(deps, scope, {}, first)).total === 0)
    for (const report of demoReports(dayOf(deps.clock.now())))
      await createReport(deps, viewer, actor, { ...report, email: false });
}

/** Reports for the last complete month. */
function demoReports(today: Day): ReportInput[] {
  const month = addMonths(monthOf(today), -1);
  const days = { startDate: firstDay(month), endDate: lastDay(month) };
  return [
    { type: 'cost_summary', format: 'pdf', ...days },
    { type: 'cost_by_service', format: 'xlsx', ...days },
    { type: 'showback', format: 'pdf', filters: { tag_key: 'virtual:team' }, ...days },
  ];
}
