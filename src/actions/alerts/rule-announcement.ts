import type { AlertMetric, AlertOperator } from '../../../prisma/generated/client/enums.ts';
import { type Amount, amountText, amountToNumber, changePercent, roundAmount } from '../../kit/money.ts';
import type { Metric } from '../../facts/metrics/metric.ts';
import { monthOf, type Day } from '../../kit/time/period.ts';
import type { Fact } from '../../tenancy/mail/figures.ts';
import type { Announcement } from '../notifications/announcement.ts';
import { formatDay, formatMoney, formatMonth, formatUnitCost } from '../../kit/text/format.ts';
import type { AlertedBudget } from '../../analysis/budgets/spend.ts';
import { changeText, excludedNote, missingNote, targetFacts } from './notify-of-budget-alert.ts';
import { isMoney, type AlertRule, type Excluded } from './rule.ts';

/** A day on which a rule's condition holds. */
export interface RuleFinding {
  readonly day: Day;
  /** Money in the currency, or percent. */
  readonly figure: Amount;
  readonly excluded: Excluded;
  /** Bills that the figure lacks. */
  readonly missingBills: AlertedBudget['missingBills'];
  /** The organization's currency, ISO 4217. */
  readonly currency: string;
  /** The account's name, if the rule targets a single account. */
  readonly account: string | null;
  /** The rule's unit metric, if it has one. */
  readonly unit: Pick<Metric, 'name' | 'unit'> | null;
}

const metricNames: Readonly<Record<AlertMetric, string>> = {
  daily_cost: 'Daily cost',
  month_to_date_cost: 'Month-to-date cost',
  forecasted_month_cost: 'Forecasted month cost',
  day_over_day_percent: 'Day-over-day change',
  week_over_week_percent: 'Week-over-week change',
  unit_cost: 'Unit cost',
  unit_cost_change_percent: 'Unit cost change',
};

const operatorWords: Readonly<Record<AlertOperator, string>> = {
  gt: 'above',
  gte: 'at or above',
  lt: 'below',
  lte: 'at or below',
};

/** Builds the announcement of a rule whose condition holds on a day. */
export function ruleAnnouncement(rule: AlertRule, finding: RuleFinding): Announcement {
  const { day, figure, unit } = finding;
  const show = (amount: Amount) => shown(rule.metric, amount, finding);
  const limit = `${operatorWords[rule.operator]} ${show(rule.threshold)}`;
  return {
    kind: 'alert_rule',
    subjectKey: `rule:${rule.id}:${day}`,
    tone: 'warning',
    title: `${rule.name}: ${metricNames[rule.metric].toLowerCase()} ${show(figure)}`,
    lead: [
      sentence(rule, finding, show(figure), limit),
      ...excludedNote(finding.excluded, finding.currency),
      ...missingNote(finding.missingBills),
    ].join(' '),
    facts: [
      { label: metricNames[rule.metric], value: show(figure) },
      { label: 'Alerts when', value: limit },
      ...distance(rule, finding),
      { label: 'Day', value: formatDay(day) },
      ...(unit === null ? [] : [{ label: 'Unit metric', value: unit.name }]),
      ...targetFacts(rule, finding.account),
    ],
    paragraphs: ['The rule sends one alert for each complete day (UTC) on which its condition is met.'],
    action: { label: 'Open the rule', path: `/alert-rules/${rule.id}` },
    reason: `You received this because you own the alert rule “${rule.name}” or are one of its recipients.`,
  };
}

function sentence({ metric, windowDays }: AlertRule, { day }: RuleFinding, figure: string, limit: string): string {
  switch (metric) {
    case 'daily_cost':
      return `Cost on ${formatDay(day)} was ${figure}, which is ${limit}.`;
    case 'month_to_date_cost':
      return `Cost in ${formatMonth(monthOf(day))} through ${formatDay(day)} was ${figure}, which is ${limit}.`;
    case 'forecasted_month_cost':
      return `Based on the bills through ${formatDay(day)}, the forecast for the month is ${figure}, which is ${limit}.`;
    case 'day_over_day_percent':
      return `Cost on ${formatDay(day)} changed by ${figure} from the day before, which is ${limit}.`;
    case 'week_over_week_percent':
      return `Cost in the 7 days to ${formatDay(day)} changed by ${figure} from the 7 days before, which is ${limit}.`;
    case 'unit_cost':
      return `The unit cost ${daysText(windowDays, day)} was ${figure}, which is ${limit}.`;
    case 'unit_cost_change_percent':
      return `The unit cost ${daysText(windowDays, day)} changed by ${figure} from the period before, which is ${limit}.`;
  }
}

function daysText(count: number, last: Day): string {
  return count === 1 ? `on ${formatDay(last)}` : `in the ${count} days to ${formatDay(last)}`;
}

function shown(metric: AlertMetric, amount: Amount, { currency, unit }: RuleFinding): string {
  if (metric === 'unit_cost')
    return `${formatUnitCost(Number(amountText(amount)), currency)} per ${unit?.unit ?? 'unit'}`;
  const number = amountToNumber(amount);
  return isMoney(metric) ? formatMoney(number, currency) : changeText(number);
}

/** Returns the difference between figure and threshold, where it is meaningful. */
function distance({ metric, threshold }: AlertRule, { figure }: RuleFinding): Fact[] {
  if (!isMoney(metric) || threshold <= 0n) return [];
  const percent = changePercent(roundAmount(figure), roundAmount(threshold));
  return percent === null ? [] : [{ label: 'vs. threshold', value: changeText(percent) }];
}
