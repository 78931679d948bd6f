import { microsToNumber, parseAmount, roundAmount, sumAmounts } from '../../kit/money.ts';
import { daysBetween } from '../../kit/period.ts';
import { formatMoney } from '../../kit/format.ts';
import type { Finding } from './finding.ts';
import type { SeriesBooks, ServiceSeries } from './series-store.ts';
import type { KeptRow } from './write-store.ts';

type SeriesKey = Pick<ServiceSeries, 'provider' | 'service' | 'currency'>;

/** Why an anomaly is no longer one, in words for who looks at it. */
export function endReason(
  kept: SeriesKey & Pick<KeptRow, 'startDate' | 'endDate' | 'rangeCost'>,
  { series, start }: Pick<SeriesBooks, 'series' | 'start'>,
  findings: readonly Finding[],
): string {
  const { startDate, endDate, currency } = kept;
  const isOwn = (each: SeriesKey) =>
    each.provider === kept.provider && each.service === kept.service && each.currency === currency;
  const whole = findings.find((each) => isOwn(each) && each.startDate <= endDate && each.endDate >= startDate);
  if (whole !== undefined) return `It is part of the anomaly that began on ${whole.startDate}.`;
  const costs = series.find(isOwn)?.costs ?? [];
  const days = costs.slice(Math.max(0, daysBetween(start, startDate)), Math.max(0, daysBetween(start, endDate) + 1));
  const [now, before] = [days.map((cost) => cost ?? '0'), [kept.rangeCost]].map((parts) =>
    microsToNumber(roundAmount(sumAmounts(parts.map(parseAmount)))),
  );
  if (now === before || now === undefined || before === undefined)
    return 'Evaluated again with later bills: these days are not unusual.';
  return `Restated by the provider: these days now cost ${formatMoney(now, currency)}, not ${formatMoney(before, currency)}, which is not unusual.`;
}
