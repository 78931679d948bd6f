import { screen, waitFor, within } from '@testing-library/dom';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { wholeMoney } from '../../../src/console/words/format.ts';
import { amount, cents } from '../figures.ts';
import {
  choose,
  field,
  fill,
  follow,
  logOut,
  main,
  mainText,
  openDialog,
  press,
  rowsOf,
  settled,
  signIn,
  useConsole,
  user,
  userMenu,
  visit,
} from './console.ts';
import { demoApi } from './world.ts';

interface Budget {
  readonly id: string;
  readonly name: string;
  readonly amount: number;
  readonly currentSpend: number;
  readonly forecastedSpend: number;
  readonly remaining: number;
  readonly status: string;
  readonly provider: string | null;
  readonly alertThresholds: readonly number[];
  readonly completeThrough: string | null;
}

interface Days {
  readonly days: readonly { readonly date: string; readonly cost: number }[];
  readonly totalCost: number;
}

const budgetFields =
  'id name amount currentSpend forecastedSpend remaining status provider alertThresholds completeThrough';
const today = () => new Date().toISOString().slice(0, 10);
const monthStart = () => `${today().slice(0, 7)}-01`;

/** Formats an amount as headlines show it. */
function whole(value = 0): string {
  return wholeMoney(value, 'USD');
}

/** Formats an amount as the console does. */
function usd(value: number): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(value);
}

/** The text of the card of a figure: its value and the note below it. */
function figure(label: string): string {
  return main().getAllByText(label)[0]?.parentElement?.textContent ?? '';
}

/** The first sum of money in each text. */
function sums(texts: readonly (string | undefined)[]): number[] {
  return texts.map((text) => amount(/[-−]?\$[\d,]+\.\d\d/.exec(text ?? '')?.[0] ?? ''));
}

const table = (name: string | RegExp) => screen.getByRole('table', { name });

describe('planning', () => {
  const api = demoApi();
  useConsole();
  beforeAll(() => signIn(api()));

  describe('the budgets page', () => {
    it('shows the figures of the API, the most used budget first', async () => {
      const { budgets } = await api().gql<{ budgets: { data: readonly Budget[] } }>(
        `{ budgets(sortBy: PERCENT_USED_DESC) { data { ${budgetFields} } } }`,
      );
      await follow('/budgets');
      const rows = rowsOf(table('Budgets'));
      expect(rows.map(([name]) => name)).toEqual(budgets.data.map(({ name }) => expect.stringContaining(name)));
      expect(sums(rows.map(([, used]) => used))).toEqual(budgets.data.map((one) => cents(one.currentSpend)));
      expect(sums(rows.map(([, , remaining]) => remaining))).toEqual(budgets.data.map((one) => cents(one.remaining)));
      expect(sums(rows.map(([, , , forecast]) => forecast))).toEqual(
        budgets.data.map((one) => cents(one.forecastedSpend)),
      );
      await follow('/budgets?status=exceeded');
      const exceeded = budgets.data.filter(({ status }) => status === 'EXCEEDED');
      await waitFor(() => expect(rowsOf(table('Budgets'))).toHaveLength(exceeded.length));
    });

    it('asks before a link discards changes to the form, but not before Cancel does', async () => {
      const ask = vi.fn<typeof confirm>(() => false);
      vi.stubGlobal('confirm', ask);
      const link = (name: string) => screen.getByRole('link', { name });
      await follow('/budgets/new');
      await user.click(link('Forecast'));
      await settled();
      expect(location.pathname).toBe('/forecast');
      await follow('/budgets/new');
      await fill(field('Name'), 'Half written');
      await user.click(link('Forecast'));
      expect([location.pathname, field('Name').value]).toEqual(['/budgets/new', 'Half written']);
      expect(ask.mock.calls).toEqual([['Leave without saving your changes?']]);
      await user.click(link('Cancel'));
      await settled();
      expect(location.pathname).toBe('/budgets');
      await user.click(link('Forecast'));
      await settled();
      expect(location.pathname).toBe('/forecast');
      expect(ask).toHaveBeenCalledOnce();
      vi.unstubAllGlobals();
    });

    it('asks before signing out discards changes to the form', async () => {
      const ask = vi.fn<typeof confirm>(() => false);
      vi.stubGlobal('confirm', ask);
      await follow('/budgets/new');
      await fill(field('Name'), 'Half written');
      await user.click(userMenu());
      await user.click(await screen.findByRole('menuitem', { name: 'Sign out' }));
      expect([location.pathname, field('Name').value]).toEqual(['/budgets/new', 'Half written']);
      ask.mockReturnValue(true);
      await logOut();
      expect(ask).toHaveBeenCalledTimes(2);
      vi.unstubAllGlobals();
      await signIn(api());
    });

    it('keeps what was entered in a dialog after a click beside it', async () => {
      await follow('/reports/schedules');
      await user.click(screen.getByRole('button', { name: 'New schedule' }));
      const dialog = await openDialog();
      await fill(field('Name', dialog), 'Half written');
      const beside = document.querySelector('.mantine-Modal-overlay');
      await user.click(beside ?? document.body);
      expect(beside).not.toBeNull();
      expect(field('Name', await openDialog()).value).toBe('Half written');
      await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    });

    it('asks before Escape or the close button discards changes in a dialog, but not before Cancel does', async () => {
      const ask = vi.fn<typeof confirm>(() => false);
      vi.stubGlobal('confirm', ask);
      const open = async () => {
        await user.click(screen.getByRole('button', { name: 'New schedule' }));
        return openDialog();
      };
      const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      await follow('/reports/schedules');
      await open();
      await user.keyboard('{Escape}');
      await isClosed();
      expect(ask).not.toHaveBeenCalled();
      await fill(field('Name', await open()), 'Half written');
      await user.keyboard('{Escape}');
      await user.click(screen.getByRole('button', { name: 'Close' }));
      await user.click(screen.getByRole('link', { name: 'Forecast' }));
      expect([location.pathname, field('Name').value]).toEqual(['/reports/schedules', 'Half written']);
      expect(ask.mock.calls).toEqual(Array.from({ length: 3 }, () => ['Leave without saving your changes?']));
      await user.click(screen.getByRole('button', { name: 'Cancel' }));
      await isClosed();
      await fill(field('Name', await open()), 'Half written');
      ask.mockReturnValue(true);
      await user.keyboard('{Escape}');
      await isClosed();
      expect(ask).toHaveBeenCalledTimes(4);
      vi.unstubAllGlobals();
    });

    it('shows on the overview each budget that is forecast to exceed its amount', async () => {
      const { budgets } = await api().gql<{ budgets: { data: readonly Budget[] } }>(
        `{ budgets(sortBy: PERCENT_USED_DESC) { data { ${budgetFields} } } }`,
      );
      const atRisk = budgets.data.filter((one) => one.status !== 'OK' || one.forecastedSpend > one.amount);
      expect(atRisk.map(({ status }) => status)).toContain('OK');
      await follow('/');
      const card = within(screen.getByRole('region', { name: 'Budgets at risk' }));
      const names = card.getAllByRole('meter').map((meter) => meter.getAttribute('aria-label'));
      expect(names).toEqual(atRisk.map(({ name }) => `Budget ${name}`));
      expect(card.getAllByText('At risk')).toHaveLength(atRisk.filter(({ status }) => status === 'OK').length);
    });

    it('shows days that add up to the spend of the month', async () => {
      const { budgets } = await api().gql<{ budgets: { data: readonly Budget[] } }>(
        `{ budgets { data { ${budgetFields} } } }`,
      );
      const budget = budgets.data.find(({ name }) => name === 'All clouds');
      const { costsDaily } = await api().gql<{ costsDaily: Days }>(
        'query ($from: Date!, $to: Date!) { costsDaily(startDate: $from, endDate: $to) { days { date cost } totalCost } }',
        { from: monthStart(), to: today() },
      );
      const complete = costsDaily.days.filter(({ date }) => date <= (budget?.completeThrough ?? ''));
      await follow(`/budgets/${budget?.id}`);
      await screen.findByRole('heading', { level: 1, name: 'All clouds' });
      await waitFor(() => expect(figure('Spent through today')).toContain(whole(budget?.currentSpend)));
      expect(figure('Forecast for the month')).toContain(whole(budget?.forecastedSpend));
      const chart = await screen.findByRole('group', {
        name: /^All clouds: the complete days of the month add up to/,
      });
      const sum = complete.reduce((total, { cost }) => total + cost, 0);
      expect(chart.getAttribute('aria-label')).toContain(`add up to ${usd(sum)}`);
      const tip = () => within(chart).getByRole('status').textContent;
      await press(chart, 'Home');
      for (let day = 1; day < costsDaily.days.length; day += 1) await user.keyboard('{ArrowRight}');
      expect(tip()).toContain(usd(costsDaily.totalCost));
      expect(cents(costsDaily.totalCost)).toBe(cents(budget?.currentSpend ?? 0));
      await user.keyboard('{End}');
      expect(tip()).toContain(usd(budget?.forecastedSpend ?? 0));
      await user.click(main().getByRole('link', { name: 'View costs' }));
      await settled();
      expect(mainText()).toContain(usd(budget?.currentSpend ?? 0));
    });

    it('shows a budget at risk in the list and on its page when its forecast exceeds the amount', async () => {
      const { budgets } = await api().gql<{ budgets: { data: readonly Budget[] } }>(
        `{ budgets { data { ${budgetFields} } } }`,
      );
      const isAtRisk = (one: Budget) => one.status === 'OK' && one.forecastedSpend > one.amount;
      const atRisk = budgets.data.filter(isAtRisk);
      expect(atRisk.map(({ name }) => name)).toContain('Storefront team');
      await follow('/budgets');
      const shown = rowsOf(table('Budgets')).filter((cells) => cells.at(-1) === 'At riskforecast over budget');
      expect(shown).toHaveLength(atRisk.length);
      const names = async (status: string) => {
        await follow(`/budgets?status=${status}`);
        return screen.queryAllByRole('table', { name: 'Budgets' }).flatMap(rowsOf);
      };
      expect(await names('AT_RISK')).toHaveLength(atRisk.length);
      const onTrack = budgets.data.filter((one) => one.status === 'OK' && !isAtRisk(one));
      expect(await names('OK')).toHaveLength(onTrack.length);
      await follow(`/budgets/${atRisk[0]?.id}`);
      await waitFor(() => expect(figure('Used')).toContain('At risk'));
      await follow(`/budgets/${budgets.data.find(({ status }) => status === 'EXCEEDED')?.id}`);
      await waitFor(() => expect(figure('Used')).toContain('Exceeded'));
    });

    it('covers a virtual tag in a quarter', async () => {
      await follow('/budgets/new');
      await user.type(await screen.findByLabelText(/^Name/), 'Shop');
      await user.click(screen.getByRole('combobox', { name: 'Period' }));
      await user.click(await screen.findByRole('option', { name: /^Quarterly/ }));
      await choose(screen.getByRole('combobox', { name: 'Tag key' }), 'Team (virtual tag)');
      await choose(screen.getByRole('combobox', { name: 'Tag value' }), 'storefront');
      await screen.findByRole('region', { name: 'The last four quarters' });
      await user.type(screen.getByLabelText(/^Amount per quarter/), '90000{Enter}');
      await screen.findByRole('heading', { level: 1, name: 'Shop' });
      const id = location.pathname.split('/').at(-1);
      const fields = 'period periodStart tagKey tagValue currentSpend';
      const { budget } = await api().gql<{ budget: { periodStart: string; currentSpend: number } }>(
        `query ($id: ID!) { budget(id: $id) { ${fields} } }`,
        { id },
      );
      expect(budget).toMatchObject({ period: 'QUARTERLY', tagKey: 'virtual:team', tagValue: 'storefront' });
      const { costsByTag } = await api().gql<{ costsByTag: { groups: { tagValue: string; cost: number }[] } }>(
        'query ($from: Date!, $to: Date!) { costsByTag(startDate: $from, endDate: $to, tagKey: "virtual:team") { groups { tagValue cost } } }',
        { from: budget.periodStart, to: today() },
      );
      const cost = costsByTag.groups.find(({ tagValue }) => tagValue === 'storefront')?.cost ?? 0;
      expect(cents(budget.currentSpend)).toBe(cents(cost));
      await waitFor(() => expect(figure('Spent through today')).toContain(whole(budget.currentSpend)));
      expect(figure('Forecast for the quarter')).toContain('$');
      expect(screen.getByRole('region', { name: 'About this budget' }).textContent).toMatch(
        /Scope\s*Team = storefront/,
      );
      await screen.findByRole('group', { name: /^Shop: the complete days of the quarter add up to/ });
      await follow('/budgets?tag_key=virtual%3Ateam&period=quarterly');
      await waitFor(() => expect(rowsOf(table('Budgets')).length).toBe(2));
      expect(mainText()).toContain('Quarterly · Team = storefront');
      await api().gql('mutation ($id: ID!) { deleteBudget(id: $id) }', { id });
    });

    it('creates, changes and deletes a budget by keyboard', async () => {
      await follow('/budgets');
      await press(screen.getByRole('link', { name: 'New budget' }), 'Enter');
      await press(await screen.findByRole('button', { name: 'Create budget' }), 'Enter');
      await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/^Name/)));
      expect(screen.getAllByText('Enter a name')).toHaveLength(1);
      await user.keyboard('Compute of AWS');
      await choose(screen.getByRole('combobox', { name: 'Provider' }), 'AWS');
      await settled();
      const history = screen.getByRole('region', { name: 'The last six months' });
      const average = amount(/\$[\d,.]+/.exec(history.textContent.split('Average')[1] ?? '')?.[0] ?? '');
      await press(screen.getByRole('button', { name: 'Use as amount: Average' }), 'Enter');
      await press(screen.getByRole('button', { name: 'Remove threshold 1' }), 'Enter');
      await press(screen.getByRole('button', { name: 'Add threshold' }), 'Enter');
      await user.keyboard('120');
      await user.keyboard('{Enter}');
      await screen.findByRole('heading', { level: 1, name: 'Compute of AWS' });
      const id = location.pathname.split('/').at(-1);
      const ask = async () =>
        (await api().gql<{ budget: Budget }>(`query ($id: ID!) { budget(id: $id) { ${budgetFields} } }`, { id }))
          .budget;
      const made = await ask();
      expect(made).toMatchObject({ provider: 'aws', alertThresholds: [100, 120] });
      expect(made.amount / average).toBeGreaterThanOrEqual(1);
      expect(made.amount / average).toBeLessThan(1.02);

      await press(await screen.findByRole('link', { name: 'Edit' }), 'Enter');
      const amountField = await screen.findByLabelText(/^Amount per month/);
      await user.clear(amountField);
      await user.type(amountField, '1234.5{Enter}');
      const remove = await screen.findByRole('button', { name: 'Delete' });
      expect(await ask()).toMatchObject({ name: 'Compute of AWS', amount: 1234.5, alertThresholds: [100, 120] });

      await press(remove, 'Enter');
      const dialog = await screen.findByRole('dialog');
      await press(within(dialog).getByRole('button', { name: 'Delete budget' }), 'Enter');
      await screen.findByRole('table', { name: 'Budgets' });
      await settled();
      await waitFor(() => expect(table('Budgets').textContent).not.toContain('Compute of AWS'));
    });
  });

  it('shows the forecast of the API for the model and the filters in the address', async () => {
    for (const [model, query] of [
      ['SEASONAL', ''],
      ['LINEAR', '?model=linear&provider=gcp'],
    ] as const) {
      const provider = query === '' ? null : ['gcp'];
      const { forecast, forecastAccuracy } = await api().gql<{
        forecast: { total: Record<'cost' | 'lower80' | 'upper80', number>; points: Days['days'] };
        forecastAccuracy: { months: readonly { forecast: number; actual: number }[] };
      }>(
        `query ($model: ForecastModel!, $provider: [String!]) {
          forecast(model: $model, provider: $provider) { total { cost lower80 upper80 } points { date cost } }
          forecastAccuracy(model: $model, provider: $provider) { months { forecast actual } } }`,
        { model, provider },
      );
      await follow(`/forecast${query}`);
      const { cost, lower80, upper80 } = forecast.total;
      await waitFor(() => expect(figure('Next 60 days')).toContain(whole(cost)));
      expect(figure('Next 60 days')).toContain(`80% interval: ${whole(lower80)}–${whole(upper80)}`);
      const chart = screen.getByRole('group', { name: /^Daily cost of 90 days, then a forecast of 60 days/ });
      await press(chart, 'End');
      expect(within(chart).getByRole('status').textContent).toContain(usd(forecast.points.at(-1)?.cost ?? 0));
      const rows = rowsOf(table(/^Forecast and actual cost/));
      expect(rows.map(([, predicted, actual]) => [predicted, actual])).toEqual(
        forecastAccuracy.months.map((month) => [usd(month.forecast), usd(month.actual)]),
      );
    }
    await user.click(screen.getByText('Seasonal'));
    await waitFor(() => expect(location.search).toBe('?provider=gcp'));
    await follow('/forecast?provider=zz');
    await screen.findByText('No complete days of costs match the filters.');
  });

  it('asks once a minute for the last day of the bills, however often the page changes', async () => {
    const asked = vi.spyOn(globalThis, 'fetch');
    const days = () => asked.mock.calls.filter(([, init]) => /query LastCompleteDay\b/.test(String(init?.body))).length;
    await visit('/coverage');
    expect(days()).toBe(1);
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 50_000);
    await follow('/budgets');
    await follow('/coverage');
    expect(days()).toBe(1);
    now.mockReturnValue(Date.now() + 11_000);
    await follow('/budgets');
    await follow('/coverage');
    expect(days()).toBe(2);
    now.mockRestore();
    asked.mockRestore();
  });

  it('shows the coverage split, gaps and plans of the API, and says that Costkeep never buys anything', async () => {
    const { coverage, coverageGaps, coveragePlanner } = await api().gql<{
      coverage: { totalCost: number; unusedCommitmentCost: number; split: readonly { kind: string; cost: number }[] };
      coverageGaps: { data: readonly { service: string; estimatedMonthlySavings: number }[] };
      coveragePlanner: {
        recommendations: readonly { product: string; termMonths: number; estimatedMonthlySavings: number }[];
      };
    }>(`{ coverage(provider: ["aws"]) { totalCost unusedCommitmentCost split { kind cost } }
      coverageGaps(provider: ["aws"]) { data { service estimatedMonthlySavings } }
      coveragePlanner(provider: ["aws"]) { recommendations { product termMonths estimatedMonthlySavings } } }`);
    await follow('/coverage?provider=aws');
    await waitFor(() => expect(figure('Unused commitment cost')).toContain(usd(coverage.unusedCommitmentCost)));
    const order = ['RESERVED', 'SAVINGS_PLAN', 'SPOT', 'ON_DEMAND', 'OTHER'];
    const split = coverage.split.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
    const models = table('Costs by pricing model');
    expect(rowsOf(models).map(([, cost]) => cost)).toEqual(split.map(({ cost }) => usd(cost)));
    expect(models.querySelector('tfoot')?.textContent).toContain(usd(coverage.totalCost));
    expect(rowsOf(table('Coverage by service')).map((cells) => cells.at(-1))).toEqual(
      coverageGaps.data.map((gap) => usd(gap.estimatedMonthlySavings)),
    );

    const tabs = screen.getByRole('navigation', { name: 'Coverage' });
    await user.click(within(tabs).getByRole('link', { name: 'Planner' }));
    await settled();
    expect(location.search).toBe('?provider=aws');
    await screen.findByText(/Costkeep never buys anything\./);
    const [year] = screen.getAllByText('1 year');
    if (year) await user.click(year);
    const [first] = coveragePlanner.recommendations;
    const ofAYear = coveragePlanner.recommendations.filter(
      ({ product, termMonths }) => product === first?.product && termMonths === 12,
    );
    const [plans] = (
      await screen.findAllByRole('table', { name: new RegExp(`^Commitments for ${first?.product}`) })
    ).map(rowsOf);
    const saved = sums((plans ?? []).map(([, , sum]) => sum));
    expect(saved.length).toBeGreaterThan(1);
    expect(saved).toEqual(ofAYear.slice(0, saved.length).map((one) => cents(one.estimatedMonthlySavings)));
  });

  it('previews a rule on percentages with a chart of past days', async () => {
    await follow('/alert-rules/new');
    await user.click(await screen.findByRole('combobox', { name: 'Metric' }));
    await user.click(await screen.findByRole('option', { name: /^Week-over-week/ }));
    const chart = await screen.findByRole('group', { name: /^Week-over-week change over 30 days/ });
    await press(chart, 'End');
    await waitFor(() => expect(within(chart).getByRole('status').textContent).toMatch(/[+-]?\d+(\.\d)?%/));
    expect(chart.textContent).not.toContain('$');
  });

  it('shows an invalid pattern of a tag policy once, at its field', async () => {
    await follow('/tags/policies/new');
    await user.type(await screen.findByLabelText(/^Name/), 'Codes');
    await user.type(screen.getByRole('combobox', { name: /^Key/ }), 'code');
    await user.click(screen.getByLabelText('Pattern'));
    await user.paste('CC-[');
    await press(screen.getByRole('button', { name: 'Create policy' }), 'Enter');
    await screen.findByText(/^.CC-\[. is not a valid RE2 pattern/);
    expect(main().queryByRole('alert')).toBeNull();
  });

  it.each([
    ['/coverage?from=bad&provider=aws', 'The day bad: enter dates as YYYY-MM-DD.', '/coverage?provider=aws'],
    ['/anomalies?from=2026-03-02&to=2026-03-01', 'the end date is before the start date', '/anomalies'],
    ['/tags/keys/team?to=bad', 'enter dates as YYYY-MM-DD', '/tags/keys/team'],
    ['/settings/audit?from=2026-02-30', 'enter dates as YYYY-MM-DD', '/settings/audit'],
  ])('rejects the days of %s, and offers the page without them', async (path, said, rest) => {
    await follow(path);
    expect((await screen.findByRole('alert')).textContent).toContain(said);
    await press(screen.getByRole('button', { name: /^Show .* without it$/ }), 'Enter');
    await settled();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(location.href).toBe(`${api().url}${rest}`);
  });

  it('rejects a sort order that the list does not have, and offers the whole list', async () => {
    await follow('/budgets?sort=colour&status=ok');
    expect((await screen.findByRole('alert')).textContent).toMatch(/must be one of .*AMOUNT_ASC, .*, not "COLOUR_ASC"/);
    await press(screen.getByRole('button', { name: 'Clear all filters' }), 'Enter');
    await screen.findByRole('table', { name: 'Budgets' });
  });

  it('rejects a status that budgets do not have, and offers the list without it', async () => {
    await follow('/budgets?status=exceeded&status=lost');
    expect((await screen.findByRole('alert')).textContent).toContain('status=lost is not one of exceeded, warning');
    await press(screen.getByRole('button', { name: 'Show budgets without it' }), 'Enter');
    await screen.findByRole('table', { name: 'Budgets' });
    expect(location.search).toBe('');
    await follow('/budgets?status=exceeded');
    await waitFor(() =>
      expect(new Set(rowsOf(table('Budgets')).map((row) => row.at(-1)))).toEqual(new Set(['Exceeded'])),
    );
  });
});

describe('planning with one account', () => {
  const api = demoApi();
  useConsole();

  it('requires a member with one account to choose it as the scope', async () => {
    const { accounts } = await api().gql<{ accounts: { data: readonly { id: string; name: string }[] } }>(
      '{ accounts { data { id name } } }',
    );
    const azure = accounts.data.find(({ name }) => name === 'Azure');
    await signIn(api(), await api().someone('member', [azure?.id ?? '']));
    await follow('/budgets/new');
    await user.type(screen.getByLabelText(/^Name/), 'Ours');
    await user.type(screen.getByLabelText(/^Amount per month/), '500{Enter}');
    await screen.findByText('Choose an account');
    await choose(screen.getByRole('combobox', { name: 'Account' }), 'A');
    await user.click(screen.getByRole('button', { name: 'Create budget' }));
    await screen.findByRole('heading', { level: 1, name: 'Ours' });
    await settled();
    expect(screen.getByRole('region', { name: 'About this budget' }).textContent).toMatch(/Scope\s*Azure/);
  });
});

describe('number fields', () => {
  const api = demoApi();
  useConsole();
  beforeAll(() => signIn(api()));

  it('keep text that is not a number, with an error, and do not submit it', async () => {
    await follow('/budgets/new');
    await fill(field('Name'), 'Typed');
    const input = await screen.findByLabelText<HTMLInputElement>(/^Amount per month/);
    await user.click(input);
    await user.paste('1e9999');
    await user.keyboard('{Enter}');
    expect(mainText()).toContain('“1e9999” is not a number');
    expect(input.value).toBe('1e9999');
    expect(location.pathname).toBe('/budgets/new');
    await user.clear(input);
    await user.type(input, '27.072');
    await user.tab();
    expect(mainText()).toContain('“27.072” is ambiguous: enter 27072 or 27.0720');
  });

  it('read typed and pasted amounts as the console shows them', async () => {
    await follow('/budgets/new');
    await fill(field('Name'), 'Sixty thousand');
    const input = await screen.findByLabelText<HTMLInputElement>(/^Amount per month/);
    for (const [typed, shown] of [
      ['60,000', '60,000 USD'],
      ['1500,50', '1,500.50 USD'],
    ] as const) {
      await user.clear(input);
      await user.type(input, typed);
      await user.tab();
      expect(input.value).toBe(shown);
    }
    await user.clear(input);
    await user.paste('$60,000.25');
    await user.keyboard('{Enter}');
    await screen.findByRole('heading', { level: 1, name: 'Sixty thousand' });
    const { budgets } = await api().gql<{ budgets: { data: readonly { name: string; amount: number }[] } }>(
      '{ budgets(perPage: 100) { data { name amount } } }',
    );
    expect(budgets.data.find(({ name }) => name === 'Sixty thousand')?.amount).toBe(60_000.25);
  });

  it('keep every digit of an amount that is too large, with the error at the field until it changes', async () => {
    await follow('/budgets/new');
    await fill(field('Name'), 'Too large');
    const input = screen.getByLabelText<HTMLInputElement>(/^Amount per month/);
    await user.clear(input);
    await user.type(input, '12345678901234567890{Enter}');
    await screen.findByText('Enter an amount below 1,000,000,000,000,000');
    expect(input.value).toBe('12345678901234567890');
    expect(input.getAttribute('aria-invalid')).toBe('true');
    await user.clear(input);
    await user.type(input, '500');
    expect(mainText()).not.toContain('Enter an amount below');
  });

  it('show an error of the server at the field that it names', async () => {
    await follow('/budgets/new');
    const name = field('Name');
    await fill(name, 'a\u0007b');
    const input = screen.getByLabelText<HTMLInputElement>(/^Amount per month/);
    await user.clear(input);
    await user.type(input, '500{Enter}');
    await waitFor(() => expect(name.getAttribute('aria-invalid')).toBe('true'));
    await user.type(name, 'c');
    expect(name.getAttribute('aria-invalid')).not.toBe('true');
  });
});

describe('addresses of lists', () => {
  const api = demoApi();
  useConsole();
  beforeAll(() => signIn(api()));

  it.each([
    ['/anomalies?severity=bogus', 'severity=bogus is not one of critical, high, medium, low.', 'anomalies'],
    ['/recommendations?status=bogus', 'status=bogus is not one of ', 'recommendations'],
    ['/alert-rules?enabled=bogus', 'enabled=bogus is not one of all, true, false.', 'alert rules'],
    ['/inventory?gone=bogus', 'gone=bogus is not one of true, false.', 'resources'],
  ])('say that %s is not valid, and offer the list without it', async (path, text, noun) => {
    await follow(path);
    await screen.findByText('This address is not valid');
    expect(mainText()).toContain(text);
    await press(screen.getByRole('button', { name: `Show ${noun} without it` }), 'Enter');
    await screen.findByRole('table');
    expect(location.search).toBe('');
  });

  it.each([
    ['/forecast?model=bogus', 'model=bogus is not one of seasonal, linear.'],
    ['/settings/exchange-rates?from=XXX', 'from=XXX is not one of '],
    ['/coverage?view=bogus', 'view=bogus is not one of all, coverable.'],
    ['/coverage/planner?term=bogus', 'term=bogus is not one of any, 12, 36.'],
  ])('say that the view of %s is not valid, and show the page without it', async (path, text) => {
    await follow(path);
    await screen.findByText('This address is not valid');
    expect(mainText()).toContain(text);
    await press(screen.getByRole('button', { name: /^Show .* without it$/ }), 'Enter');
    await waitFor(() => expect(screen.queryByText('This address is not valid')).toBeNull());
    expect(location.search).toBe('');
  });
});
