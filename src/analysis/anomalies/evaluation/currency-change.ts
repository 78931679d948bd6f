import { daysBetween } from '../../../kit/time/period.ts';
import { adoptionDays, chargeDays, idlePart, minimumImpactIn } from '../detection/settings.ts';
import type { Finding } from './finding.ts';
import type { AccountUsage, ServiceSeries } from './series-store.ts';

/** Days on which a service can have costs in both currencies while the billing currency changes. */
const overlapDays = 2;

/** Returns whether a finding only shows a change of the billing currency: its service has its first costs in one currency, and
 *  its last ones in another. Amounts are not compared, because there may be no exchange rate. If the costs in the other
 *  currency continue after two days, the finding is a rise beside them. */
export function isCurrencyChange(
  { provider, service, currency, startDate }: Pick<Finding, 'provider' | 'service' | 'currency' | 'startDate'>,
  { series, start }: Pick<AccountUsage, 'series' | 'start'>,
): boolean {
  const first = daysBetween(start, startDate);
  const hasBefore = (each: ServiceSeries) => hasCost(each, first - chargeDays, first);
  const hasAfter = (each: ServiceSeries) => hasCost(each, first + overlapDays, first + overlapDays + adoptionDays);
  const own = series.filter((each) => each.provider === provider && each.service === service);
  const former = own.filter(hasBefore);
  return former.length > 0 && former.every((each) => each.currency !== currency && !hasAfter(each));
}

function hasCost({ costs, currency }: ServiceSeries, from: number, to: number): boolean {
  const least = minimumImpactIn(currency) * idlePart;
  return costs.slice(Math.max(0, from), to).some((cost) => Number(cost ?? 0) >= least);
}
