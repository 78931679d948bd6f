import { screen } from '@testing-library/dom';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { formatMoney } from '../../../src/kit/text/format.ts';
import { changeAnswers, follow, main, mainText, rowsOf, signIn, useConsole } from './console.ts';
import { demoApi } from './world.ts';

interface Budgets {
  readonly budgets: { readonly data: readonly object[] };
}
interface Spend {
  readonly costsDaily: { readonly days: readonly object[] };
}
interface Summary {
  readonly costsSummary: { readonly periods: readonly { readonly cost: number }[] };
}
interface Costs {
  readonly costs: { readonly previous: object | null } | null;
}

const unconverted = [{ currency: 'EUR', cost: 8008 }];

describe('excluded costs', () => {
  const api = demoApi();
  useConsole();
  beforeAll(() => signIn(api()));

  it('make budgets incomplete instead of OK, and are named in their rows and in one notice', async () => {
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

  it('of the compared days replace all percentages of the costs page with their amounts', async () => {
    changeAnswers<Costs>('Costs(', ({ costs }) => ({
      costs: costs?.previous ? { ...costs, previous: { ...costs.previous, unconverted } } : costs,
    }));
    await follow('/costs?from=2026-10-01&to=2026-10-31');
    await vi.waitFor(() =>
      expect(mainText()).toMatch(
        /No percentage: €8,008\.00 of Sep 1–30(, 2026)? is not included: no exchange rate to USD/,
      ),
    );
    const { rows } = screen.getByRole<HTMLTableElement>('table', { name: /^Costs/ });
    const texts = [...rows].flatMap(({ cells }) => [...cells].map(({ textContent }) => textContent ?? ''));
    expect(texts.filter((text) => /^[+−]\d.*%$|^new$/.test(text))).toEqual([]);
    expect(mainText()).not.toMatch(/[▲▼]/);
  }, 60_000);

  it('of a missing bill replace all percentages of the costs page with its account and month', async () => {
    const missingBills = [{ month: '2026-10', accountId: '01890000-0000-7000-8000-00000000000a', accountName: 'Lab' }];
    changeAnswers<Costs>('Costs(', ({ costs }) => ({ costs: costs && { ...costs, missingBills } }));
    await follow('/costs?from=2026-11-01&to=2026-11-19');
    await vi.waitFor(() => expect(mainText()).toContain('No percentage: no bill for Lab (Oct 2026)'));
    expect(main().getByRole('alert').textContent).toBe(
      'There is no bill for Lab (Oct 2026): these costs are unknown and not included. Open Lab',
    );
    expect(mainText()).not.toMatch(/[▲▼]/);
  }, 60_000);

  it('are mentioned on the overview, instead of the comparison, and if no budget is known to be at risk', async () => {
    changeAnswers<Spend>('OverviewSpend', ({ costsDaily, ...data }) => {
      const days = costsDaily.days.map((day) => ({ ...day, unconverted }));
      return { ...data, costsDaily: { ...costsDaily, days, unconverted } };
    });
    changeAnswers<object>('OverviewFindings', (data) => ({
      ...data,
      budgetsAtRisk: { data: [], pagination: { total: 0 } },
    }));
    changeAnswers<Budgets>('BudgetsWithin', () => ({
      budgets: {
        data: [{ unconverted }, { unconverted }, { unconverted: [] }].map((one) => ({ ...one, missingBills: [] })),
      },
    }));
    await follow('/');
    expect(mainText()).toMatch(/No comparison: €[\d,.]+ of Oct 1–31(, 2026)? is not included/);
    expect(mainText()).not.toMatch(/vs\. \$/);
    expect(screen.getByRole('region', { name: 'Budgets at risk' }).textContent).toContain(
      'Incomplete: 2 budgets may be at risk, too, due to costs that are not included.',
    );
  }, 60_000);

  it('are named beside the amounts that are suggested for a budget, which leave their months out', async () => {
    const whole: number[] = [];
    changeAnswers<Summary>('CostsSummary(', ({ costsSummary }) => {
      const periods = costsSummary.periods.map((period, index, all) =>
        index === all.length - 1 ? { ...period, unconverted } : period,
      );
      whole.push(...periods.slice(0, -1).map(({ cost }) => cost));
      return { costsSummary: { ...costsSummary, periods, unconverted } };
    });
    await follow('/budgets/new');
    const { textContent } = screen.getByRole('region', { name: 'The last six months' });
    expect(textContent).toContain('€8,008.00 is not included in these figures: no exchange rate to USD');
    const known = whole.filter((cost) => cost !== 0);
    const average = known.reduce((sum, cost) => sum + cost, 0) / known.length;
    expect(textContent).toContain(`Average${formatMoney(average, 'USD')}`);
    expect(textContent).not.toContain('Last month$');
  }, 60_000);

  it('are mentioned after the days below the cost of an account', async () => {
    changeAnswers<{ costsByAccount: object }>('CostsByAccount(', ({ costsByAccount }) => ({
      costsByAccount: { ...costsByAccount, totalCost: 0, unconverted },
    }));
    const { accounts } = await api().gql<{ accounts: { data: { id: string }[] } }>('{ accounts { data { id } } }');
    await follow(`/accounts/${accounts.data[0]?.id}`);
    await vi.waitFor(() => expect(mainText()).toContain(' · €8,008.00 is not included: no exchange rate to USD'));
  }, 60_000);

  it('are mentioned if a resource has no other charges', async () => {
    changeAnswers<Costs>('Costs(', ({ costs }) => ({
      costs: costs && { ...costs, rows: [], totalCost: 0, unconverted },
    }));
    const { inventory } = await api().gql<{ inventory: { data: { id: string }[] } }>('{ inventory { data { id } } }');
    await follow(`/inventory/${inventory.data[0]?.id}`);
    await vi.waitFor(() => expect(mainText()).toContain('€8,008.00 is not included in these figures'));
    expect(mainText()).toContain('No data: this resource has no other charges for');
  }, 60_000);

  it('need exchange rates, even if there are none yet', async () => {
    changeAnswers<object>('ExchangeRates', () => ({ exchangeRates: { downloadHost: null, rates: [] } }));
    changeAnswers<Summary>('CostsSummary(', ({ costsSummary }) => ({ costsSummary: { ...costsSummary, unconverted } }));
    await follow('/settings/exchange-rates');
    await vi.waitFor(() => expect(mainText()).toContain('Add rates for EUR'));
    expect(mainText()).toContain('No rates yet');
    expect(mainText()).not.toContain('No rates are needed');
  }, 60_000);
});
