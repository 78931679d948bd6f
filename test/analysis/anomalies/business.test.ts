import { expect, it } from 'vitest';
import { detectAnomalies } from '../../../src/analysis/anomalies/detection/detector.ts';
import { lastYearDays } from '../../../src/analysis/anomalies/detection/recurrence.ts';
import { daysBetween } from '../../../src/kit/time/period.ts';
import { generateBusiness, type BusinessStyle } from '../../bench/series/business.ts';

const count = 15;
const scoredDays = 182;
/** Goal for false alerts, per 100 months of a series. */
const mostFalse = 2;

const series = generateBusiness(777, count, 485);
const ofTwoYears = generateBusiness(778, count, 760);

/** Alerts in the last half year of the series of a style. */
function alertsOn(all: typeof series, style: BusinessStyle): number {
  return all
    .filter((each) => each.style === style)
    .flatMap(({ firstDay, costs }) =>
      detectAnomalies({ start: firstDay, costs }).episodes.filter(
        ({ detectedOn }) => daysBetween(firstDay, detectedOn) >= costs.length - scoredDays,
      ),
    ).length;
}

const perHundred = (alerts: number) => (100 * alerts) / (count * 6);

it.for(['quarterly', 'commitments', 'fortnightly', 'month_end', 'weekend'] as const)(
  'raises at most two false alerts in 100 months of %s costs',
  (style) => {
    expect(perHundred(alertsOn(series, style))).toBeLessThanOrEqual(mostFalse);
  },
);

it('raises at most two false alerts in 100 months on environments that are switched on and off by the week', () => {
  const alerts = alertsOn(series, 'switched') + alertsOn(ofTwoYears, 'switched');
  expect(perHundred(alerts / 2)).toBeLessThanOrEqual(mostFalse);
});

it('raises no alert about a season in its second year', () => {
  expect(alertsOn(series, 'campaigns')).toBe(count);
  expect(alertsOn(ofTwoYears, 'campaigns')).toBe(0);
});

it('recognizes the end of a commitment on the first day that an evaluation checks', () => {
  const term = 365;
  const costs = Array.from({ length: lastYearDays + 60 }, (_, at) => {
    const isCommitted = at >= lastYearDays - term && at < lastYearDays;
    return (isCommitted ? 70 : 100) + (at % 3);
  });
  expect(detectAnomalies({ start: '2025-01-01', costs, learnFrom: lastYearDays - 205 }).episodes).toEqual([]);
  const rising = costs.map((cost, at) => (at < lastYearDays ? 70 + (at % 3) : cost));
  expect(detectAnomalies({ start: '2025-01-01', costs: rising, learnFrom: lastYearDays - 205 }).episodes).not.toEqual(
    [],
  );
});

it('recognizes the end of a commitment on the last day of a month, and one that looks like a slow rise', () => {
  const ended = generateBusiness(20_261_129, 10, 485).filter(({ key }) => /^commitments\/20261129\/[69]$/.test(key));
  expect(ended).toHaveLength(2);
  expect(alertsOn(ended, 'commitments')).toBe(0);
});
