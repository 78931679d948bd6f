import { percentUsed } from '../../analysis/budgets/budget.ts';
import type { AlertedBudget } from '../../analysis/budgets/alerted.ts';
import { amountText, microsToNumber, roundAmount, type Amount } from '../../kit/money.ts';
import type { Bar, Fact } from '../../tenancy/mail/figures.ts';
import type { Announcement } from '../notifications/announcement.ts';
import { formatMoney, formatMonth, formatPercent } from '../../kit/format.ts';
import { targetFacts } from './words.ts';

/** What its recipients are told of a budget that reached a threshold.
 *  @param account its name, where the budget is about one */
export function budgetAnnouncement(alerted: AlertedBudget, account: string | null): Announcement {
  const { budget, alert, forecast, services } = alerted;
  const { name, currency } = budget;
  const threshold = amountText(alert.threshold);
  const isSpent = alert.spend >= budget.amount;
  const [spend, amount] = [formatted(alert.spend, currency), formatted(budget.amount, currency)];
  const month = formatMonth(alert.month);
  const used = formatPercent(percentUsed(budget, alert.spend));
  return {
    kind: 'budget_alert',
    subjectKey: `budget:${budget.id}:${alert.month}:${threshold}`,
    tone: isSpent ? 'critical' : 'warning',
    title: `${name} has reached ${formatPercent(Number(threshold))} of its budget for ${month}`,
    lead: `Spending in ${month} has reached ${spend}${measure(alerted)} the ${amount} that “${name}” allows.`,
    facts: [
      { label: 'Spent', value: `${spend} (${used})` },
      { label: 'Budget', value: amount },
      rest(alerted),
      ...(forecast === null ? [] : [{ label: 'Forecast for the month', value: formatMoney(forecast, currency) }]),
      ...targetFacts(budget, account),
    ],
    meter: {
      percent: percentUsed(budget, alert.spend),
      thresholds: budget.thresholds.map((one) => Number(amountText(one))),
    },
    ...(services.length > 1 && { bars: barsOf(services, currency) }),
    paragraphs: outlook(alerted),
    action: { label: 'Open the budget', path: `/budgets/${budget.id}` },
    reason: `You get this because you own the budget “${name}” or are one of its recipients.`,
  };
}

function formatted(amount: Amount, currency: string): string {
  return formatMoney(microsToNumber(roundAmount(amount)), currency);
}

function measure({ budget: { amount, currency }, alert: { spend } }: AlertedBudget): string {
  if (spend > amount) return `, ${formatted(spend - amount, currency)} more than`;
  return spend === amount ? ', all of' : ' of';
}

function rest({ budget: { amount, currency }, alert: { spend } }: AlertedBudget): Fact {
  return spend > amount
    ? { label: 'Over the budget by', value: formatted(spend - amount, currency) }
    : { label: 'Left', value: formatted(amount - spend, currency) };
}

function outlook({ budget, alert, forecast }: AlertedBudget): string[] {
  const amount = microsToNumber(roundAmount(budget.amount));
  const once = 'Each threshold sends one alert per calendar month (UTC).';
  if (forecast === null || alert.spend >= budget.amount) return [once];
  const over = forecast - amount;
  const ahead =
    over > 0
      ? `At this rate the month ends ${formatMoney(over, budget.currency)} over the budget.`
      : `At this rate the month ends within the budget, with ${formatMoney(-over, budget.currency)} left.`;
  return [ahead, once];
}

function barsOf(services: AlertedBudget['services'], currency: string): Bar[] {
  const most = Math.max(...services.map(({ cost }) => cost));
  return services.map(({ service, cost }) => ({
    label: service === '' ? 'No service' : service,
    value: formatMoney(cost, currency),
    share: cost / most,
  }));
}
