import { describe, expect, it } from 'vitest';
import { formatPeriod } from '../../../../src/kit/text/format.ts';
import {
  cellText,
  columnTitle,
  figureText,
  instantText,
  shortText,
} from '../../../../src/actions/reports/pdf/figures.ts';
import { labelled, scaleOf } from '../../../../src/actions/reports/pdf/charts/scale.ts';

describe('values of a table', () => {
  it('have the decimals of their currency, and are never rounded to zero', () => {
    const money = (value: number, currency: string | null = 'USD') => cellText(value, { type: 'money', currency });
    expect([1234567.891, -0.5, 0, -0].map((value) => money(value))).toEqual(['1,234,567.89', '−0.50', '0.00', '0.00']);
    expect([0.0049, 0.005, -0.001].map((value) => money(value))).toEqual(['<0.01', '0.01', '>−0.01']);
    expect([money(1234.5, 'JPY'), money(0.4, 'JPY'), money(1.5, 'no code'), money(1.5, null)]).toEqual([
      '1,235',
      '<1',
      '1.50',
      '1.50',
    ]);
  });

  it('are dashes when absent, unless the column has a text for that', () => {
    expect(cellText(null, { type: 'percent' })).toBe('–');
    expect(cellText(null, { type: 'text', absent: '(all)' })).toBe('(all)');
    expect(cellText('', { type: 'text' })).toBe('');
  });

  it('are formatted by type', () => {
    expect(cellText(12.3456, { type: 'percent' })).toBe('12.35%');
    expect(cellText(1234567, { type: 'integer' })).toBe('1,234,567');
    expect(cellText(0.12345, { type: 'number' })).toBe('0.1235');
    expect(cellText('2026-10-01', { type: 'date' })).toBe('2026-10-01');
    expect(instantText('2026-10-31T23:59:59.000Z')).toBe('2026-10-31 23:59');
  });

  it('have their currency once, in the column title', () => {
    expect(columnTitle({ key: 'c', label: 'Cost', type: 'money', currency: 'EUR' })).toBe('Cost (EUR)');
    expect(columnTitle({ key: 'c', label: 'Cost in EUR', type: 'money', currency: 'EUR' })).toBe('Cost in EUR');
    expect(columnTitle({ key: 'c', label: 'Cost', type: 'money', currency: null })).toBe('Cost');
  });
});

it('formats periods with day, month and year', () => {
  expect(formatPeriod('2026-10-01', '2026-10-31')).toBe('Oct 1–31, 2026');
  expect(formatPeriod('2026-10-01', '2026-10-01')).toBe('Oct 1, 2026');
  expect(formatPeriod('2025-12-29', '2026-01-04')).toBe('Dec 29, 2025 – Jan 4, 2026');
});

it('formats chart figures in full, and axis labels short', () => {
  const usd = { kind: 'money', currency: 'USD' } as const;
  expect([figureText(-1234.5, usd), shortText(-1234.5, usd), shortText(2_500_000, usd), shortText(0.25, usd)]).toEqual([
    '−$1,234.50',
    '−$1.2K',
    '$2.5M',
    '$0.25',
  ]);
  expect([figureText(47, { kind: 'percent' }), figureText(1234, { kind: 'count' })]).toEqual(['47.0%', '1,234']);
});

describe('axes', () => {
  it('have round steps that cover all values and 0', () => {
    expect(scaleOf(0, 87).ticks).toEqual([0, 25, 50, 75, 100]);
    expect(scaleOf(-1_000, 8_300).ticks).toEqual([-2_500, 0, 2_500, 5_000, 7_500, 10_000]);
    expect(scaleOf(3, 4).ticks).toEqual([0, 1, 2, 3, 4]);
    expect(scaleOf(0, 0).ticks).toEqual([0, 1]);
    expect(scaleOf(-5, -1).ticks).toEqual([-6, -4, -2, 0]);
    expect(scaleOf(0, 0.3).ticks).toEqual([0, 0.1, 0.2, 0.3]);
  });

  it('label only as many days as fit, and months on their first day', () => {
    const days = Array.from({ length: 400 }, (_, index) =>
      new Date(Date.UTC(2025, 8, 15 + index)).toISOString().slice(0, 10),
    );
    const named = labelled(days, 12).map((index) => days[index]);
    expect(named.slice(0, 3)).toEqual(['2025-10-01', '2025-12-01', '2026-02-01']);
    expect(labelled(days.slice(0, 31), 12)).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30]);
    expect(labelled(['2026-01', '2026-02'], 12)).toEqual([0, 1]);
  });
});
