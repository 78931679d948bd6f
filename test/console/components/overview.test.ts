import { describe, expect, it } from 'vitest';
import { addDays, addMonths, monthEnd, monthStart } from '../../../src/console/words/days.ts';
import { month } from '../../../src/console/words/format.ts';
import { changeAnswers, follow, main, signIn, useConsole } from './console.ts';
import { demoApi } from './world.ts';

interface Spend {
  readonly costsDaily: { readonly lastCompleteDay: string } | null;
}

interface Findings {
  readonly recommendationsSummary: object;
}

describe('the overview', () => {
  const api = demoApi();
  useConsole();

  it('says which savings the headline leaves out', async () => {
    const unconverted = [{ currency: 'EUR', estimatedMonthlySavings: 8008 }];
    changeAnswers<Findings>('OverviewFindings', (data) => ({
      ...data,
      recommendationsSummary: { ...data.recommendationsSummary, unconverted },
    }));
    await signIn(api());
    await follow('/');
    const headline = main().getByRole('link', { name: 'Savings available' }).closest('div')?.parentElement;
    expect(main().getAllByText('Not included: €8,008.00, without an exchange rate.')).toHaveLength(2);
    expect(headline?.textContent).toMatch(/recommendations.*Not included: €8,008\.00/);
  }, 60_000);

  it('shows unit costs of the last complete month, once the last complete day is known', async () => {
    const card = () => main().queryByRole('heading', { name: 'Unit costs' })?.closest('section')?.textContent;
    let lastDay = '';
    changeAnswers<Spend>('OverviewSpend', (data) => {
      lastDay = data.costsDaily?.lastCompleteDay ?? '';
      return data;
    });
    await signIn(api());
    await follow('/');
    expect(card()).toContain(month(addMonths(monthStart(addDays(lastDay, 1)), -1)));

    changeAnswers<Spend>('OverviewSpend', (data) => ({ ...data, costsDaily: null }));
    await signIn(api());
    await follow('/');
    expect(card()).toBeUndefined();
  }, 60_000);

  it('names a month whose bills are complete without “to date”, and does not forecast it', async () => {
    let last = '';
    changeAnswers<Spend>('OverviewSpend', (data) => {
      last = monthEnd(addMonths(monthStart(data.costsDaily?.lastCompleteDay ?? ''), -1));
      return { ...data, costsDaily: { ...data.costsDaily, lastCompleteDay: last } };
    });
    await signIn(api());
    await follow('/');
    expect(main().getByRole('link', { name: month(last) })).toBeDefined();
    expect(main().queryByText(/ to date$|^(Rough forecast|Forecast) for /)).toBeNull();
  }, 60_000);
});
