import { describe, expect, it } from 'vitest';
import { unitCostRows } from '../../../src/console/unit-costs/rows.ts';

const pointOf = (date: string, costPerUnit: number | null) => ({
  date,
  cost: 100,
  costPerUnit,
  quantity: 100,
  daysWithoutValues: 0,
});

const months = {
  granularity: 'MONTHLY',
  dataFrom: '2025-11-01',
  lastCompleteDay: '2026-11-27',
  points: [
    pointOf('2026-07-10', 4),
    pointOf('2026-08-01', 2),
    pointOf('2026-09-01', 3),
    pointOf('2026-10-01', 6),
    pointOf('2026-11-01', 5),
  ],
} as const;

const changesOf = (cost: Parameters<typeof unitCostRows>[0]) =>
  unitCostRows(cost)
    .toReversed()
    .map(({ change }) => change);

describe('changes of a cost per unit', () => {
  it('are between whole months: not to or from one that the range or the last complete day cuts', () => {
    expect(changesOf(months)).toEqual([null, null, 50, 100, null]);
  });

  it('include a month as soon as its last day is complete', () => {
    expect(changesOf({ ...months, lastCompleteDay: '2026-11-29' }).at(-1)).toBeNull();
    expect(changesOf({ ...months, lastCompleteDay: '2026-11-30' }).at(-1)).toBeCloseTo(-16.67, 2);
  });

  it('begin after the first month whose bills are complete', () => {
    expect(changesOf({ ...months, dataFrom: '2026-08-02' })).toEqual([null, null, null, 100, null]);
    expect(changesOf({ ...months, dataFrom: null })).toEqual([null, null, null, null, null]);
  });

  it('are between complete days, and need both values', () => {
    const points = [pointOf('2026-11-25', 2), pointOf('2026-11-26', 3), pointOf('2026-11-27', 6)];
    const days = { ...months, granularity: 'DAILY', points } as const;
    expect(changesOf(days)).toEqual([null, 50, 100]);
    expect(changesOf({ ...days, lastCompleteDay: '2026-11-26' })).toEqual([null, 50, null]);
    expect(changesOf({ ...days, points: [pointOf('2026-11-25', null), ...points.slice(1)] })).toEqual([
      null,
      null,
      100,
    ]);
  });
});
