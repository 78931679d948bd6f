import { beginsBefore } from '../../kit/time/compared-days.ts';
import { missingBillsText } from '../../kit/text/missing-bills.ts';
import { days, money, month as monthName, noCostsBefore } from '../words/format.ts';
import type { CostsAnswer } from './queries.ts';

interface Compared extends Pick<CostsAnswer, 'currency' | 'dataFrom' | 'unconverted' | 'missingBills'> {
  readonly previous: Omit<NonNullable<CostsAnswer['previous']>, 'totalCost'> | null;
}

/** Why an answer has no changes, such as `no costs before Nov 3, 2026`; null if they have one, and without a
 *  comparison. */
export function unknownChange({ currency, dataFrom, previous, unconverted, missingBills }: Compared): string | null {
  if (previous === null) return null;
  if (beginsBefore(previous.startDate, dataFrom)) return noCostsBefore(dataFrom);
  const missing = missingBillsText(missingBills, monthName);
  if (missing !== null) return missing;
  if (previous.unconverted.length === 0) return notConverted(unconverted, currency);
  return notConverted(previous.unconverted, currency, days(previous.startDate, previous.endDate));
}

/** Names what a total does not include: missing bills and costs without an exchange rate; null if it includes all costs. */
export function notIncluded({
  missingBills,
  unconverted,
  currency,
}: Pick<CostsAnswer, 'missingBills' | 'unconverted' | 'currency'>): string | null {
  const lacking = [missingBillsText(missingBills, monthName), notConverted(unconverted, currency)];
  return lacking.filter((text) => text !== null).join('; ') || null;
}

/** Names costs without an exchange rate, such as `$25,341.68 of May 1–31 is not included: no exchange rate to EUR`; null
 *  without such costs.
 *  @param period days of the costs, in words */
function notConverted(costs: CostsAnswer['unconverted'], currency: string, period = ''): string | null {
  if (costs.length === 0) return null;
  const sums = costs.map((one) => money(one.cost, one.currency)).join(', ');
  const of = period === '' ? '' : ` of ${period}`;
  return `${sums}${of} ${costs.length === 1 ? 'is' : 'are'} not included: no exchange rate to ${currency}`;
}
