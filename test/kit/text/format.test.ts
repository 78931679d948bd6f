import { describe, expect, it } from 'vitest';
import { formatDays, formatShare, onDays } from '../../../src/analysis/anomalies/explanation/format.ts';
import { formatInstant, formatMoney, formatMonth, formatPercent, formatPeriod } from '../../../src/kit/text/format.ts';
import { providerName } from '../../../src/kit/text/provider-name.ts';
import type { Day, Month } from '../../../src/kit/time/period.ts';

describe('format', () => {
  it('shows money with the symbol and decimals of its currency', () => {
    expect([formatMoney(403.65, 'USD'), formatMoney(-1234.5, 'CHF'), formatMoney(1234.5, 'JPY')]).toEqual([
      '$403.65',
      '-CHF 1,234.50',
      '¥1,235',
    ]);
    expect(formatMoney(1234.5, 'tokens')).toBe('tokens 1,234.5');
  });

  it.each([
    ['GCP', 'Google Cloud'],
    ['oracle', 'Oracle Cloud'],
    ['acme', 'Acme'],
    ['constructor', 'Constructor'],
    ['__proto__', '__proto__'],
  ])('shows the provider %s in mails, files and the console', (slug, name) => {
    expect(providerName(slug)).toBe(name);
  });

  it('shows a percentage with few decimals, and zero without a sign', () => {
    expect([87.555, 0, -0.001, 1234].map((percent) => formatPercent(percent))).toEqual([
      '87.56%',
      '0%',
      '0%',
      '1,234%',
    ]);
    expect([formatPercent(12.34, 1), formatShare(426.3), formatShare(9.87)]).toEqual(['12.3%', '426%', '9.9%']);
  });

  it('shows a day, a month or a timestamp, the month first', () => {
    expect(formatMonth('2026-11' as Month)).toBe('November 2026');
    expect(formatInstant(new Date('2026-11-28T09:05:59.000Z'))).toBe('November 28, 2026, 09:05 UTC');
    expect(formatPeriod('2026-11-09' as Day, '2026-11-15' as Day)).toBe('Nov 9–15, 2026');
  });

  it.each([
    ['2026-11-11', '2026-11-11', 'November 11, 2026', 'on November 11, 2026'],
    ['2026-11-11', '2026-11-12', 'November 11–12, 2026', 'on November 11 and 12, 2026'],
    ['2026-11-11', '2026-11-13', 'November 11–13, 2026', 'from November 11 to 13, 2026'],
    ['2026-11-30', '2026-12-01', 'November 30, 2026 – December 1, 2026', 'on November 30, 2026 and December 1, 2026'],
    ['2026-12-31', '2027-01-02', 'December 31, 2026 – January 2, 2027', 'from December 31, 2026 to January 2, 2027'],
  ] as [Day, Day, string, string][])('shows the days from %s to %s', (start, end, brief, phrase) => {
    expect([formatDays(start, end), onDays(start, end)]).toEqual([brief, phrase]);
  });
});
