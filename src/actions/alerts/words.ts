import type { Target } from '../../analysis/budgets/target.ts';
import { firstDay, instantOf, type Month } from '../../kit/period.ts';
import type { Fact } from '../notifications/announcement.ts';

const locale = 'en-US';
const monthFormat = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const percentFormat = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
const changeFormat = new Intl.NumberFormat(locale, { maximumFractionDigits: 2, signDisplay: 'exceptZero' });

/** A month in words, such as `November 2026`. */
export function monthName(month: Month): string {
  return monthFormat.format(instantOf(firstDay(month)));
}

/** A percentage with 2 decimals at most, such as `87.5%`; of a change with its sign, such as `+12.5%`. */
export function percentText(percent: number, isChange = false): string {
  return `${(isChange ? changeFormat : percentFormat).format(percent)}%`;
}

/** Which spend a budget or a rule is about, line by line.
 *  @param account its name, where it is about one */
export function targetFacts({ accountId, provider, service }: Target, account: string | null): Fact[] {
  return [
    { label: 'Account', value: accountId === null ? 'All accounts' : (account ?? accountId) },
    ...(provider === null ? [] : [{ label: 'Provider', value: provider }]),
    ...(service === null ? [] : [{ label: 'Service', value: service }]),
  ];
}
