import { readAlertedBudget, type AlertedBudget } from '../../analysis/budgets/spend.ts';
import { keyDimension, virtualKeyOf } from '../../facts/costs/dimensions.ts';
import type { PayloadOf } from '../../jobs/kinds.ts';
import type { Deps } from '../../kit/deps.ts';
import { type Amount, amountText, amountToNumber, parseAmount } from '../../kit/money.ts';
import { firstDay, parseMonth } from '../../kit/time/period.ts';
import { announce } from '../notifications/announce.ts';
import type { Announcement, Recipients } from '../notifications/announcement.ts';
import { findAccount } from './store.ts';
import { percentUsed, type Budget } from '../../analysis/budgets/budget.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { Bar, Fact } from '../../tenancy/mail/figures.ts';
import { formatMoney, formatMonth, formatPercent } from '../../kit/text/format.ts';
import { missingBillsText } from '../../kit/text/missing-bills.ts';
import { providerName } from '../../kit/text/provider-name.ts';
import { periodKey, periodName, periodNoun, periodOn } from '../../analysis/budgets/period.ts';
import type { Target } from '../../analysis/budgets/target.ts';

const listFormat = new Intl.ListFormat('en-US');

/** Notifies the recipients of a budget that it has reached a threshold, at most once. Does nothing if the budget or its
 *  owner is gone. */
export async function notifyOfBudgetAlert(
  deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'queue' | 'engine'>,
  { organizationId, budgetId, period: kind = 'monthly', month: text, threshold }: PayloadOf<'tell_budget_alert'>,
): Promise<void> {
  const month = parseMonth(text);
  if (month === null) throw new Error(`Not a month: ${text}`);
  const period = periodOn(kind, firstDay(month));
  const reached = { organizationId, budgetId, period, threshold: parseAmount(threshold) };
  const alerted = await readAlertedBudget(deps, reached);
  if (alerted === null) return;
  const { budget } = alerted;
  const { accountId } = budget;
  const account = accountId === null ? null : await findAccount(deps.db, organizationId, accountId);
  const announcement = budgetAnnouncement(alerted, account?.name ?? null);
  const recipients = recipientsOf(budget, alerted.scope);
  await deps.db.$transaction((db) => announce(db, deps, organizationId, { announcement, recipients }));
}

/** Returns the recipients of a budget or rule: its owner, and the addresses and channels that it names.
 *  @param scope the owner's */
export function recipientsOf(
  {
    createdById,
    emails,
    slack,
    channelIds,
    accountId,
  }: Pick<Budget, 'createdById' | 'emails' | 'slack' | 'channelIds' | 'accountId'>,
  scope: OrgScope,
): Recipients {
  return {
    owner: createdById,
    addresses: emails,
    slackOf: slack ? createdById : null,
    channelIds,
    about: { accountIds: accountId === null ? scope.accountIds : [accountId] },
  };
}

/** Builds the announcement of a reached budget threshold.
 *  @param account the account's name, if the budget covers a single account */
function budgetAnnouncement(alerted: AlertedBudget, account: string | null): Announcement {
  const { budget, alert, forecast, excluded, missingBills, services } = alerted;
  const { name, currency } = budget;
  const threshold = amountText(alert.threshold);
  const isSpent = alert.spend >= budget.amount;
  const [spend, amount] = [formatted(alert.spend, currency), formatted(budget.amount, currency)];
  const period = periodName(alert.period);
  const noun = periodNoun(alert.period.kind);
  const used = formatPercent(percentUsed(budget, alert.spend));
  return {
    kind: 'budget_alert',
    subjectKey: `budget:${budget.id}:${periodKey(alert.period)}:${threshold}`,
    tone: isSpent ? 'critical' : 'warning',
    title: `${name} has reached ${formatPercent(Number(threshold))} of its budget for ${period}`,
    lead: [
      `Spend in ${period} has reached ${spend}${measure(alerted)} the ${amount} budget “${name}”.`,
      ...excludedNote(excluded, currency),
      ...missingNote(missingBills),
    ].join(' '),
    facts: [
      { label: 'Spent', value: `${spend} (${used})` },
      { label: 'Budget', value: amount },
      rest(alerted),
      ...(forecast === null ? [] : [{ label: `Forecast for the ${noun}`, value: formatMoney(forecast, currency) }]),
      ...targetFacts(budget, account),
    ],
    meter: {
      percent: percentUsed(budget, alert.spend),
      thresholds: budget.thresholds.map((one) => Number(amountText(one))),
    },
    ...(services.length > 1 && { bars: barsOf(services, currency) }),
    paragraphs: outlook(alerted),
    action: { label: 'Open the budget', path: `/budgets/${budget.id}` },
    reason: `You received this because you own the budget “${name}” or are one of its recipients.`,
  };
}

function formatted(amount: Amount, currency: string): string {
  return formatMoney(amountToNumber(amount), currency);
}

function measure({ budget: { amount, currency }, alert: { spend } }: AlertedBudget): string {
  if (spend > amount) return `, ${formatted(spend - amount, currency)} more than`;
  return spend === amount ? ', all of' : ' of';
}

function rest(alerted: AlertedBudget): Fact {
  const { amount, currency } = alerted.budget;
  const { spend } = alerted.alert;
  if (spend > amount) return { label: 'Over budget by', value: formatted(spend - amount, currency) };
  const left = formatted(amount - spend, currency);
  return { label: 'Remaining', value: isWhole(alerted) ? left : `${left} without the excluded costs` };
}

/** Returns whether the figures include all costs. */
function isWhole({ excluded, missingBills }: AlertedBudget): boolean {
  return excluded.size + missingBills.length === 0;
}

/** Names the missing bills of a figure, if there are any. */
export function missingNote(bills: AlertedBudget['missingBills']): string[] {
  const text = missingBillsText(bills, formatMonth);
  return text === null ? [] : [`There is ${text}: these costs are not included.`];
}

/** States the costs without an exchange rate to a currency, if there are any. */
export function excludedNote(excluded: ReadonlyMap<string, Amount>, currency: string): string[] {
  const sums = [...excluded].map(([from, cost]) => formatted(cost, from));
  if (sums.length === 0) return [];
  const verb = sums.length === 1 ? 'has' : 'have';
  return [`Excludes ${listFormat.format(sums)}, which ${verb} no exchange rate to ${currency}.`];
}

function outlook(alerted: AlertedBudget): string[] {
  const { budget, alert, forecast } = alerted;
  const amount = amountToNumber(budget.amount);
  const noun = periodNoun(alert.period.kind);
  const once = `Each threshold sends one alert per calendar ${noun} (UTC).`;
  if (forecast === null || alert.spend >= budget.amount) return [once];
  return [ahead(noun, forecast - amount, alerted), once];
}

/** @param over amount by which the forecast exceeds the budget; negative if it is below it */
function ahead(noun: string, over: number, alerted: AlertedBudget): string {
  const difference = formatMoney(Math.abs(over), alerted.budget.currency);
  if (over > 0)
    return `At this rate the ${noun} ends ${difference} over the budget${isWhole(alerted) ? '' : ', without the excluded costs'}.`;
  return isWhole(alerted)
    ? `At this rate the ${noun} ends within the budget, with ${difference} left.`
    : `At this rate the ${noun} ends ${difference} below the budget without the excluded costs, and may exceed it with them.`;
}

function barsOf(services: AlertedBudget['services'], currency: string): Bar[] {
  const most = Math.max(...services.map(({ cost }) => cost));
  return services.map(({ service, cost }) => ({
    label: service === '' ? 'No service' : service,
    value: formatMoney(cost, currency),
    share: cost / most,
  }));
}

/** Formats a percentage change with its sign, such as `+12.5%`. */
export function changeText(percent: number): string {
  const text = formatPercent(percent);
  return percent > 0 && text !== '0%' ? `+${text}` : text;
}

/** Describes the target of a budget or rule, one fact per line.
 *  @param account the account's name, if it targets a single account */
export function targetFacts(target: Target, account: string | null): Fact[] {
  const { accountId, provider, service, subAccountId, tagKey, tagValue } = target;
  return [
    { label: 'Account', value: accountId === null ? 'All accounts' : (account ?? accountId) },
    ...(provider === null ? [] : [{ label: 'Provider', value: providerName(provider) }]),
    ...(service === null ? [] : [{ label: 'Service', value: service }]),
    ...(subAccountId === null ? [] : [{ label: 'Sub-account', value: subAccountId }]),
    ...(tagKey === null ? [] : [tagFact(tagKey, tagValue)]),
  ];
}

function tagFact(key: string, value: string | null): Fact {
  const virtual = virtualKeyOf(keyDimension(key));
  const name = virtual ?? key;
  return {
    label: virtual === null ? 'Tag' : 'Virtual tag',
    value: value === null ? `${name}, any value` : `${name} = ${value}`,
  };
}
