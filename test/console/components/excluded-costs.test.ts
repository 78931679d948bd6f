import { screen } from '@testing-library/dom';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { changeAnswers, follow, main, mainText, rowsOf, signIn, useConsole } from './console.ts';
import { demoApi } from './world.ts';

interface Budgets {
  readonly budgets: { readonly data: readonly object[] };
}
interface Spend {
  readonly costsDaily: object;
}
interface Summary {
  readonly costsSummary: object;
}

const unconverted = [{ currency: 'EUR', cost: 8008 }];

describe('costs without an exchange rate', () => {
  const api = demoApi();
  useConsole();
  beforeAll(() => signIn(api()));

  it('make budgets incomplete instead of OK, with the costs and one notice', async () => {
    changeAnswers<Budgets>('Budgets(', ({ budgets }) => {
      const [first, second, third] = budgets.data;
      const data = [
        { ...first, projectedStatus: 'EXCEEDED', unconverted },
        { ...second, projectedStatus: 'OK', unconverted },
        { ...third, projectedStatus: 'OK' },
      ];
      return { budgets: { ...budgets, data } };
    });
    await follow('/budgets');
    expect(rowsOf(screen.getByRole('table', { name: 'Budgets' })).map((row) => row.at(-1))).toEqual([
      'Exceededexcludes €8,008.00',
      'Incompleteexcludes €8,008.00',
      'OK',
    ]);
    expect(main().getByRole('alert').textContent).toBe(
      '2 budgets exclude costs without an exchange rate: EUR to USD. Exchange rates',
    );
  }, 60_000);

  it('are mentioned on the overview if no budget is known to be at risk', async () => {
    changeAnswers<Spend>('OverviewSpend', (data) => ({ ...data, costsDaily: { ...data.costsDaily, unconverted } }));
    changeAnswers<object>('OverviewFindings', (data) => ({
      ...data,
      budgetsAtRisk: { data: [], pagination: { total: 0 } },
    }));
    changeAnswers<Budgets>('BudgetsWithin', () => ({
      budgets: { data: [{ unconverted }, { unconverted }, { unconverted: [] }] },
    }));
    await follow('/');
    expect(screen.getByRole('region', { name: 'Budgets at risk' }).textContent).toContain(
      'Incomplete: 2 budgets may be at risk, too, due to costs without an exchange rate.',
    );
  }, 60_000);

  it('are named beside the amounts that are suggested for a budget', async () => {
    changeAnswers<Summary>('CostsSummary(', ({ costsSummary }) => ({ costsSummary: { ...costsSummary, unconverted } }));
    await follow('/budgets/new');
    expect(screen.getByRole('region', { name: 'The last six months' }).textContent).toContain(
      '€8,008.00 is not included in these figures: no exchange rate to USD',
    );
  }, 60_000);

  it('need rates, also if there are none yet', async () => {
    changeAnswers<object>('ExchangeRates', () => ({ exchangeRates: { downloadHost: null, rates: [] } }));
    changeAnswers<Summary>('CostsSummary(', ({ costsSummary }) => ({ costsSummary: { ...costsSummary, unconverted } }));
    await follow('/settings/exchange-rates');
    await vi.waitFor(() => expect(mainText()).toContain('Add rates for EUR'));
    expect(mainText()).toContain('No rates yet');
    expect(mainText()).not.toContain('No rates are needed');
  }, 60_000);
});
