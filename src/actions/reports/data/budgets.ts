import { percentUsed, projectedStatusAt, statusAt, type ProjectedStatus } from '../../../analysis/budgets/budget.ts';
import type { BudgetView } from '../../../analysis/budgets/figures.ts';
import { viewBudgets } from '../../../analysis/budgets/list.ts';
import { unconvertedCosts } from '../../../facts/costs/cells.ts';
import { amountToNumber } from '../../../kit/money.ts';
import { dayOf } from '../../../kit/time/period.ts';
import { argsOf } from '../filters.ts';
import { excludedText, missingNotes, notIncluded, provisionalNotes } from './cost-parts.ts';
import { formatCount, formatDay } from '../../../kit/text/format.ts';
import { tableOf, field, type DataRequest, type Field, type ReadDataSet } from './data-set.ts';

const mostBars = 10;
const excludedNote =
  'Excluded costs are not part of the other figures, because they have no exchange rate to the currency of the budget.';

/** Reads the status of budgets in their current periods, highest use first. */
export const readBudgets: ReadDataSet = async (request) => {
  const { deps, scope, report } = request;
  const rows = await viewBudgets(deps, scope, { ...argsOf('budgets', report.filters), sortBy: '-percent_used' });
  const statuses = rows.map(statusOf);
  const countOf = (wanted: ReportedStatus) => statuses.filter((status) => status === wanted).length;
  const count = (wanted: ReportedStatus) => formatCount(countOf(wanted));
  const bars = rows.flatMap((row) => {
    const value = usedOf(row);
    return value === null ? [] : [{ label: row.budget.name, value }];
  });
  return {
    subtitle: 'Spend and forecast of each budget in its current calendar month, quarter or year (UTC).',
    summary: [
      { label: 'Budgets', value: formatCount(rows.length) },
      { label: 'Exceeded', value: count('exceeded') },
      { label: 'Warning', value: count('warning') },
      { label: 'At risk', value: count('at_risk') },
      { label: 'Within budget', value: count('ok') },
      ...(countOf('incomplete') > 0 ? [{ label: 'Incomplete', value: count('incomplete') }] : []),
    ],
    charts:
      bars.length === 0
        ? []
        : [{ kind: 'bars', title: 'Budget utilization', unit: { kind: 'percent' }, items: bars.slice(0, mostBars) }],
    sections: [tableOf({ key: 'budgets', title: 'Budgets' }, fieldsOf(request), rows)],
    notes: [
      `Figures are as of ${formatDay(dayOf(deps.clock.now()))}, regardless of the period of the report.`,
      ...(rows.some(({ spend }) => (spend?.unconverted.size ?? 0) > 0) ? [excludedNote] : []),
      ...missingNotes(
        rows.flatMap(({ spend }) => spend?.missingBills ?? []),
        notIncluded,
      ),
      ...provisionalNotes(rows.flatMap(({ spend }) => spend?.provisionalRates ?? [])),
    ],
  };
};

function usedOf({ budget, spend }: BudgetView): number | null {
  return spend && percentUsed(budget, spend.amount);
}

/** `incomplete`: would be `ok`, but excludes costs without an exchange rate or of a missing bill, which can exceed the amount. */
type ReportedStatus = ProjectedStatus | 'incomplete';

function statusOf({ budget, spend, forecast }: BudgetView): ReportedStatus | null {
  const status = spend && projectedStatusAt(budget, { spend: spend.amount, forecast });
  return status === 'ok' && spend && spend.unconverted.size + spend.missingBills.length > 0 ? 'incomplete' : status;
}

/** Names the costs that all figures of a budget exclude; null if there are none. */
function excludedOf({ spend }: BudgetView): string | null {
  if (spend === null) return null;
  return excludedText({ ...spend, unconverted: unconvertedCosts(spend.unconverted) }) || null;
}

function fieldsOf({ accountNames }: DataRequest): Field<BudgetView>[] {
  const money = (key: string, label: string, of: (view: BudgetView) => number | null) =>
    field(key, label, { type: 'money', currency: null }, of);
  return [
    field('name', 'Budget', 'text', ({ budget }) => budget.name),
    field('period', 'Period', { type: 'text', isWord: true }, ({ budget }) => budget.period),
    field('projected_status', 'Status', { type: 'text', isWord: true }, statusOf),
    money('amount', 'Amount', ({ budget }) => amountToNumber(budget.amount)),
    money('current_spend', 'Spent', ({ spend }) => spend && amountToNumber(spend.amount)),
    field('percent_used', 'Used', 'percent', usedOf),
    field('excluded', 'Excluded', 'text', excludedOf),
    money('remaining', 'Remaining', ({ budget, spend }) => spend && amountToNumber(budget.amount - spend.amount)),
    money('forecasted_spend', 'Forecast', ({ forecast }) => forecast),
    field('currency', 'Currency', 'text', ({ budget }) => budget.currency),
    field('account_name', 'Account', { type: 'text', absent: '(all)' }, ({ budget }) =>
      budget.accountId === null ? null : (accountNames.get(budget.accountId) ?? ''),
    ),
    field('provider', 'Provider', { type: 'text', isProvider: true, absent: '(all)' }, ({ budget }) => budget.provider),
    field('service', 'Service', { type: 'text', absent: '(all)' }, ({ budget }) => budget.service),
    field('sub_account_id', 'Sub-account', { type: 'text', absent: '(all)' }, ({ budget }) => budget.subAccountId),
    field('tag_key', 'Tag key', { type: 'text', isTagKey: true, absent: '(all)' }, ({ budget }) => budget.tagKey),
    field('tag_value', 'Tag value', { type: 'text', absent: '(all)' }, ({ budget }) => budget.tagValue),
    field(
      'cost_metric',
      'Cost metric',
      { type: 'text', isWord: true, isDetail: true },
      ({ budget }) => budget.costMetric,
    ),
    field(
      'status',
      'Status without forecast',
      { type: 'text', isWord: true, isDetail: true },
      ({ budget, spend }) => spend && statusAt(budget, spend.amount),
    ),
    field('created_at', 'Created', { type: 'instant', isDetail: true }, ({ budget }) => budget.createdAt.toISOString()),
    field('id', 'ID', { type: 'text', isDetail: true }, ({ budget }) => budget.id),
    field('account_id', 'Account ID', { type: 'text', isDetail: true }, ({ budget }) => budget.accountId),
  ];
}
