import type { Target } from '../../analysis/budgets/target.ts';
import { formatPercent } from '../../kit/format.ts';
import type { Fact } from '../../tenancy/mail/figures.ts';

/** A change in percent with its sign, such as `+12.5%`. */
export function changeText(percent: number): string {
  const text = formatPercent(percent);
  return percent > 0 && text !== '0%' ? `+${text}` : text;
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
