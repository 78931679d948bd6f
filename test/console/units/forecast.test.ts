import { expect, it } from 'vitest';
import { expectedIn } from '../../../src/console/forecast/expected.ts';

const daysOf = (costs: readonly number[], from: number) =>
  costs.map((cost, index) => ({ date: `2026-11-${String(from + index).padStart(2, '0')}`, cost }));
const range = { from: '2026-11-26', to: '2026-11-30' };

it('adds the larger of actual and forecast for days whose bills are incomplete, as in budgets', () => {
  const costs = { days: daysOf([10, 20, 90, 1], 26), points: daysOf([30, 40, 50], 28), completeTo: '2026-11-27' };
  expect(expectedIn(costs, range)).toEqual({ actual: 120, forecast: 90 });
});

it('ignores days outside the range, and forecasts of complete days', () => {
  const costs = { days: daysOf([7, 10, 20], 25), points: daysOf([99, 40, 50, 60], 27), completeTo: '2026-11-27' };
  expect(expectedIn(costs, range)).toEqual({ actual: 30, forecast: 150 });
});

it('is unknown if the forecast ends before the range', () => {
  expect(expectedIn({ days: daysOf([10], 26), points: daysOf([40], 27), completeTo: '2026-11-26' }, range)).toBeNull();
});
