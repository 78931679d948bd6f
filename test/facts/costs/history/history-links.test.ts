import { describe, expect, it } from 'vitest';
import { linkedFactor, linksOf, type AccountDays } from '../../../../src/facts/costs/history/history-links.ts';
import type { Amount } from '../../../../src/kit/money.ts';
import { daysIn, type Day, type DayRange } from '../../../../src/kit/time/period.ts';

const range = { start: '2026-01-01', end: '2026-06-01' } satisfies DayRange;

function costs(start: Day, amount: bigint): Map<Day, Amount> {
  return new Map(daysIn({ start, end: range.end }).map((day) => [day, amount]));
}

function total(...all: readonly ReadonlyMap<Day, Amount>[]): Map<Day, Amount> {
  const days = daysIn(range);
  return new Map(days.map((day) => [day, all.reduce((sum, each) => sum + (each.get(day) ?? 0n), 0n)]));
}

const old = costs(range.start, 100n);
const account = (dataFrom: Day, amount: bigint): AccountDays => ({ dataFrom, costs: costs(dataFrom, amount) });

describe('accounts with a later first bill', () => {
  it('are linked to the history before them', () => {
    const [second, third] = [account('2026-02-01', 20n), account('2026-05-20', 60n)];
    const { start, links } = linksOf(range, total(old, second.costs, third.costs), [third, second]);
    expect(start).toBe(range.start);
    expect(links).toEqual([
      { day: '2026-02-01', ratio: 1.2 },
      { day: '2026-05-20', ratio: 1.5 },
    ]);
    expect([linkedFactor(links, '2026-01-31'), linkedFactor(links, '2026-02-01')]).toEqual([1.2 * 1.5, 1.5]);
    expect(linkedFactor(links, '2026-05-20')).toBe(1);
  });

  it('in the same month do not distort each other’s ratio', () => {
    const [second, third] = [account('2026-02-01', 20n), account('2026-02-10', 60n)];
    const { links } = linksOf(range, total(old, second.costs, third.costs), [second, third]);
    expect(links.map(({ ratio }) => ratio)).toEqual([1.2, 1.5]);
  });

  it('on the same day share one link', () => {
    const late = [account('2026-02-01', 20n), account('2026-02-01', 30n)];
    const { links } = linksOf(range, total(old, ...late.map((each) => each.costs)), late);
    expect(links).toEqual([{ day: '2026-02-01', ratio: 1.5 }]);
  });

  it.each([
    [100n, 1],
    [101n, 0],
  ])('costing %s compared with 100 create %s links; large ones restart the history', (amount, times) => {
    const late = account('2026-04-01', amount);
    const { start, links } = linksOf(range, total(old, late.costs), [late]);
    expect(links).toHaveLength(times);
    expect(start).toBe(times === 1 ? range.start : '2026-04-01');
  });

  it('restart the history if the rest costs nothing or is negative', () => {
    const late = account('2026-04-01', 5n);
    expect(linksOf(range, late.costs, [late])).toEqual({ start: '2026-04-01', links: [] });
    expect(linksOf(range, total(costs(range.start, -1n), late.costs), [late]).start).toBe('2026-04-01');
  });

  it('without matching costs change nothing', () => {
    expect(linksOf(range, old, [account('2026-04-01', 0n)])).toEqual({ start: range.start, links: [] });
  });
});
