import { screen, waitFor, waitForElementToBeRemoved, within } from '@testing-library/dom';
import { beforeAll, describe, expect, it } from 'vitest';
import { wholeMoney } from '../../../src/console/words/format.ts';
import { amount, cents } from '../figures.ts';
import { csvOf, follow, goBack, main, mainText, press, rowsOf, settled, signIn, useConsole, user } from './console.ts';
import { demoApi } from './world.ts';

interface Anomaly {
  readonly id: string;
  readonly service: string;
  readonly impact: number;
  readonly converted: { readonly impact: number } | null;
  readonly status: string;
  readonly statusReason: string | null;
}

interface Recommendation {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly statusReason: string | null;
  readonly snoozedUntil: string | null;
  readonly estimatedMonthlySavings: number;
  readonly remediationScripts: readonly { readonly script: string }[];
}

interface List<Row> {
  readonly data: readonly Row[];
  readonly pagination: { readonly total: number };
}

const anomalyFields = 'id service impact converted { impact } status statusReason';

/** The large figure of a card, by its name. */
function figure(name: string): string {
  const label = main().getByText(name);
  for (let at = label.parentElement; at; at = at.parentElement) {
    const [sum] = /\$[\d,]+(\.\d\d)?/.exec(at.textContent) ?? [];
    if (sum) return sum;
  }
  return '';
}

const table = (name: string | RegExp) => screen.getByRole('table', { name });

/** Chooses the caller in a field for a member, by keyboard. */
async function chooseYou(field: HTMLElement): Promise<void> {
  await user.type(field, '(you)');
  // The members load when the field is shown.
  await screen.findByRole('option', { name: /\(you\)$/ });
  await user.keyboard('{ArrowDown}{Enter}');
}

describe('the console', () => {
  const api = demoApi();
  useConsole();
  beforeAll(() => signIn(api()));

  it('lists anomalies like the API: open ones newest first, with filters', async () => {
    const { open, critical, all } = await api().gql<Record<string, List<Anomaly>>>(`{
      open: anomalies(status: [OPEN], sortBy: START_DATE_DESC, perPage: 25) { data { ${anomalyFields} } pagination { total } }
      critical: anomalies(status: [OPEN], severity: [CRITICAL]) { data { id } pagination { total } }
      all: anomalies { data { id } pagination { total } } }`);
    await follow('/anomalies');
    const rows = rowsOf(table('Anomalies'));
    expect(rows.map(([service]) => service)).toEqual(open?.data.map(({ service }) => service));
    expect(rows.map(([, impact = '']) => amount(impact.slice(0, impact.indexOf('.') + 3)))).toEqual(
      open?.data.map(({ impact, converted }) => cents(converted?.impact ?? impact)),
    );
    expect(await csvOf()).toHaveLength((open?.pagination.total ?? 0) + 1);

    await user.click(screen.getByRole('combobox', { name: 'Severity' }));
    await user.click(await screen.findByRole('option', { name: 'Critical' }));
    await user.keyboard('{Escape}');
    await settled();
    await waitFor(() => expect(location.search).toBe('?severity=CRITICAL'));
    await waitFor(() => expect(rowsOf(table('Anomalies'))).toHaveLength(critical?.pagination.total ?? 0));

    await follow('/anomalies');
    await user.click(screen.getByRole('radio', { name: 'All' }));
    await settled();
    await waitFor(() => expect(rowsOf(table('Anomalies'))).toHaveLength(all?.pagination.total ?? 0));
    await goBack();
    await waitFor(() => expect(rowsOf(table('Anomalies'))).toHaveLength(open?.pagination.total ?? 0));
  });

  it('explains an anomaly, links to its drivers, and changes its status by keyboard', async () => {
    const read = async (id: string) => {
      const { anomaly } = await api().gql<{ anomaly: Anomaly & { explanation: { summary: string } } }>(
        `query ($id: ID!) { anomaly(id: $id) { ${anomalyFields} explanation { summary } } }`,
        { id },
      );
      return anomaly;
    };
    const { anomalies } = await api().gql<{ anomalies: List<Anomaly> }>(
      `{ anomalies(status: [OPEN], service: ["BigQuery"], sortBy: IMPACT_DESC) { data { id } pagination { total } } }`,
    );
    const id = anomalies.data[0]?.id ?? '';
    const before = await read(id);
    await follow(`/anomalies/${id}`);
    await screen.findByRole('heading', { level: 1, name: 'BigQuery: spike' });
    expect(figure('Impact')).toContain(wholeMoney(before.impact, 'USD'));
    expect(mainText()).toContain(before.explanation.summary);
    expect(await screen.findAllByRole('group', { name: /^Cost of BigQuery per day/ })).toHaveLength(1);

    await press(screen.getByRole('button', { name: 'Acknowledge' }), 'Enter');
    const dialog = await screen.findByRole('dialog', { name: 'Acknowledge this anomaly' });
    await user.type(within(dialog).getByLabelText(/^Reason/), 'A dashboard scanned everything');
    await press(within(dialog).getByRole('button', { name: 'Acknowledge' }), 'Enter');
    await waitForElementToBeRemoved(dialog);
    await settled();
    expect(await read(id)).toMatchObject({ status: 'ACKNOWLEDGED', statusReason: 'A dashboard scanned everything' });
    expect(mainText()).toMatch(/Acknowledged by you .+: A dashboard scanned everything/);
    const buttons = main()
      .getAllByRole('button')
      .map(({ textContent }) => textContent);
    expect(buttons.filter((name) => name !== '')).toEqual(['Resolve', 'Reopen', 'Add note']);

    await user.click(screen.getByRole('link', { name: 'View this day in Costs' }));
    await settled();
    expect(new URLSearchParams(location.search).get('service')).toBe('BigQuery');
    await goBack();
    const [driver] = await within(await screen.findByRole('table', { name: 'Cost drivers' })).findAllByRole('link');
    await user.click(driver ?? document.body);
    await settled();
    expect(location.pathname).toMatch(/^\/inventory\//);
    const named = await screen.findByRole('table', { name: 'Anomalies related to this resource' });
    expect(named.querySelectorAll(`a[href="/anomalies/${id}"]`)).toHaveLength(1);
  });

  it('keeps the selection on other pages, but not with other filters', async () => {
    await follow('/recommendations?rows=25');
    const boxes = () => within(table('Recommendations')).getAllByRole<HTMLInputElement>('checkbox');
    const box = (index: number) => boxes()[index] ?? document.body;
    const goTo = async (page: number) => {
      await user.click(main().getByRole('button', { name: `Page ${page}` }));
      await settled();
    };
    await user.click(box(1));
    await goTo(2);
    await screen.findByText('1 recommendation selected');
    expect(boxes().some(({ checked, indeterminate }) => checked || indeterminate)).toBe(false);
    await user.click(box(0));
    await screen.findByText('26 recommendations selected');
    await user.click(box(0));
    await user.click(box(2));
    await screen.findByText('2 recommendations selected');
    await goTo(1);
    expect(
      boxes()
        .map(({ checked }) => checked)
        .indexOf(true),
    ).toBe(1);
    await follow('/recommendations?rows=25&provider=aws');
    expect(screen.queryByText(/selected$/)).toBeNull();
    await follow('/recommendations?rows=25');
    await user.click(main().getByRole('button', { name: 'Clear selection' }));
    await waitFor(() => expect(screen.queryByText(/selected$/)).toBeNull());
  });

  it('selects anomalies by keyboard, and changes their status and assignee together', async () => {
    interface Triaged {
      readonly id: string;
      readonly status: string;
      readonly statusReason: string | null;
      readonly assignee: { readonly email: string } | null;
    }
    const read = async () => {
      const { anomalies } = await api().gql<{ anomalies: List<Triaged> }>(
        '{ anomalies(sortBy: START_DATE_DESC, perPage: 25) { data { id status statusReason assignee { email } } pagination { total } } }',
      );
      return anomalies.data;
    };
    const before = await read();
    await follow('/anomalies?status=all');
    const list = table('Anomalies');
    expect(screen.queryByText(/selected$/)).toBeNull();
    const [all, first, second] = within(list).getAllByRole<HTMLInputElement>('checkbox');
    await press(all ?? list, ' ');
    await screen.findByText(`${before.length} anomalies selected`);
    await press(all ?? list, ' ');
    await waitFor(() => expect(screen.queryByText(/selected$/)).toBeNull());
    await press(first ?? list, ' ');
    await press(second ?? list, ' ');
    await screen.findByText('2 anomalies selected');
    expect(all?.indeterminate).toBe(true);
    expect(location.pathname).toBe('/anomalies');

    const bar = () => within(screen.getByRole('region', { name: 'Selection' }));
    await press(bar().getByRole('button', { name: 'Resolve' }), 'Enter');
    const dialog = await screen.findByRole('dialog', { name: 'Resolve 2 anomalies' });
    await user.type(within(dialog).getByLabelText(/^Reason/), 'Both fixed');
    await press(within(dialog).getByRole('button', { name: 'Resolve' }), 'Enter');
    await waitForElementToBeRemoved(dialog);
    await settled();
    expect(screen.queryByText(/selected$/)).toBeNull();
    const after = await read();
    expect(after.slice(0, 2)).toMatchObject([0, 1].map(() => ({ status: 'RESOLVED', statusReason: 'Both fixed' })));
    expect(after.slice(2)).toEqual(before.slice(2));

    const boxes = within(table('Anomalies')).getAllByRole('checkbox');
    for (const row of [2, 3]) await press(boxes[row] ?? list, ' ');
    await press(bar().getByRole('button', { name: 'Resolve' }), 'Enter');
    const again = await screen.findByRole('dialog', { name: 'Resolve 2 anomalies' });
    expect(within(again).getByText(/keep their reason if you enter none/)).toBeDefined();
    await press(within(again).getByRole('button', { name: 'Resolve' }), 'Enter');
    await waitForElementToBeRemoved(again);
    await settled();
    expect((await read()).slice(0, 3).map(({ status, statusReason }) => [status, statusReason])).toEqual([
      ['RESOLVED', 'Both fixed'],
      ['RESOLVED', 'Both fixed'],
      ['RESOLVED', before[2]?.status === 'RESOLVED' ? before[2].statusReason : null],
    ]);

    await press(within(table('Anomalies')).getAllByRole('checkbox')[2] ?? list, ' ');
    await press(bar().getByRole('button', { name: 'Assign' }), 'Enter');
    const assign = await screen.findByRole('dialog', { name: 'Assign 1 anomaly' });
    const field = within(assign).getByRole('combobox', { name: /^Assignee/ });
    // Open, the options would cover the buttons.
    expect(field.getAttribute('aria-expanded')).toBe('false');
    await chooseYou(field);
    await press(within(assign).getByRole('button', { name: 'Assign' }), 'Enter');
    await waitForElementToBeRemoved(assign);
    await settled();
    expect((await read())[1]?.assignee).not.toBeNull();
    await press(screen.getByRole('checkbox', { name: 'Assigned to me' }), ' ');
    await settled();
    const mine = (await read()).filter(({ assignee }) => assignee !== null);
    await waitFor(() => expect(rowsOf(table('Anomalies'))).toHaveLength(mine.length));
    expect(await csvOf()).toHaveLength(mine.length + 1);
  });

  it('does not overwrite statuses that others have changed since the selection, and keeps the others selected', async () => {
    const read = (id: string) =>
      api().rest<{ status: string; status_reason: string | null }>('GET', `/recommendations/${id}`);
    await follow('/recommendations?status=open&rows=25');
    const list = table('Recommendations');
    const paths = [...list.querySelectorAll('a')].map((link) => link.getAttribute('href') ?? '');
    const [theirs = '', ...own] = [...new Set(paths)].slice(0, 3).map((path) => path.split('/').at(-1) ?? '');
    for (const box of within(list).getAllByRole('checkbox').slice(1, 4)) await user.click(box);
    await screen.findByText('3 recommendations selected');
    const body = { status: 'in_progress', status_reason: 'Theirs' };
    await api().rest('PATCH', `/recommendations/${theirs}`, { body });
    const apply = async (count: number) => {
      await user.click(main().getByRole('button', { name: 'Mark applied' }));
      const dialog = await screen.findByRole('dialog', { name: `Mark as applied: ${count} recommendations` });
      await user.type(within(dialog).getByLabelText(/^Reason/), 'Ours');
      await user.click(within(dialog).getByRole('button', { name: 'Mark as applied' }));
      return dialog;
    };

    const dialog = await apply(3);
    await within(dialog).findByText(/^One of these was changed after you opened it, so your changes were not saved/);
    expect(await read(theirs)).toMatchObject(body);
    expect((await Promise.all(own.map(read))).map(({ status }) => status)).toEqual(['open', 'open']);
    await user.click(within(dialog).getByRole('button', { name: 'Reload' }));
    expect(dialog.isConnected).toBe(false);
    await screen.findByText(/: changed by someone else\. Nothing was saved\.$/);
    await screen.findByText('2 recommendations selected');

    await waitForElementToBeRemoved(await apply(2));
    expect(await read(theirs)).toMatchObject(body);
    expect((await Promise.all(own.map(read))).map((one) => one.status_reason)).toEqual(['Ours', 'Ours']);
  });

  it('edits assignee and note of a recommendation in place', async () => {
    const { recommendations } = await api().gql<{ recommendations: List<{ id: string }> }>(
      '{ recommendations(status: [OPEN], perPage: 1) { data { id } pagination { total } } }',
    );
    const id = recommendations.data[0]?.id ?? '';
    const read = async () => {
      const { recommendation } = await api().gql<{ recommendation: { note: string; assignee: object | null } }>(
        `query ($id: ID!) { recommendation(id: $id) { note assignee { email } } }`,
        { id },
      );
      return recommendation;
    };
    await follow(`/recommendations/${id}`);
    await user.click(screen.getByRole('button', { name: 'Add note' }));
    const field = await screen.findByRole('textbox', { name: 'Note' });
    expect(document.activeElement).toBe(field);
    await user.type(field, 'Ask the platform team');
    await user.click(screen.getByRole('button', { name: 'Save note' }));
    await screen.findByRole('button', { name: 'Edit note' });
    await chooseYou(screen.getByRole('combobox', { name: 'Assignee' }));
    await settled();
    await waitFor(async () => expect(await read()).toMatchObject({ note: 'Ask the platform team', assignee: {} }));
    expect(mainText()).toContain('Ask the platform team');

    await user.click(screen.getByRole('button', { name: 'Edit note' }));
    await user.type(await screen.findByRole('textbox', { name: 'Note' }), ', then close it');
    await api().rest('PATCH', `/recommendations/${id}`, { body: { note: 'They agree' } });
    await user.click(screen.getByRole('button', { name: 'Save note' }));
    await screen.findByText(/was changed after you opened it, so your changes were not saved/);
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Note' }).value).toBe(
      'Ask the platform team, then close it',
    );
    expect(await read()).toMatchObject({ note: 'They agree' });
    await user.click(screen.getByRole('button', { name: 'Cancel' }));

    await signIn(api(), await api().someone('viewer'));
    await follow(`/recommendations/${id}`);
    expect(mainText()).toContain('They agree');
    expect(screen.queryByRole('button', { name: 'Edit note' })).toBeNull();
    expect(screen.queryByRole('combobox', { name: 'Assignee' })).toBeNull();
    await follow('/recommendations');
    expect(within(table('Recommendations')).queryByRole('checkbox')).toBeNull();
    await signIn(api());
  });

  it('shows the API’s sums of recommendations by status and type', async () => {
    const { todo, arm } = await api().gql<
      Record<string, { totalCount: number; totalEstimatedMonthlySavings: number }>
    >(`{
      todo: recommendationsSummary(status: [OPEN, IN_PROGRESS]) { totalCount totalEstimatedMonthlySavings }
      arm: recommendationsSummary(status: [OPEN, IN_PROGRESS], type: [AWS_LAMBDA_ARM]) {
        totalCount totalEstimatedMonthlySavings } }`);
    await follow('/recommendations');
    expect(figure('Potential savings')).toContain(wholeMoney(todo?.totalEstimatedMonthlySavings ?? 0, 'USD'));
    expect(mainText()).toContain(`of ${todo?.totalCount} recommendations`);
    expect(await csvOf()).toHaveLength((todo?.totalCount ?? 0) + 1);
    const types = screen.getByRole('list', { name: 'Savings by type' });
    await user.click(within(types).getByRole('link', { name: /Lambda to Arm/ }));
    await settled();
    const rows = rowsOf(table('Recommendations'));
    expect(rows).toHaveLength(arm?.totalCount ?? 0);
    const sum = rows.reduce((total, [, savings = '']) => total + amount(savings), 0);
    expect(sum).toBeCloseTo(arm?.totalEstimatedMonthlySavings ?? 0, 1);
    expect(await csvOf()).toHaveLength(rows.length + 1);
  });

  it('marks a recommendation as in progress, snoozes it, ends the snooze, and copies its script', async () => {
    const fields = 'id title status statusReason snoozedUntil estimatedMonthlySavings remediationScripts { script }';
    const read = async (id: string) => {
      const { recommendation } = await api().gql<{ recommendation: Recommendation }>(
        `query ($id: ID!) { recommendation(id: $id) { ${fields} } }`,
        { id },
      );
      return recommendation;
    };
    const { recommendations } = await api().gql<{ recommendations: List<Recommendation> }>(
      `{ recommendations(status: [OPEN], type: [AWS_EBS_UNATTACHED]) { data { id } pagination { total } } }`,
    );
    const id = recommendations.data[0]?.id ?? '';
    const { title, estimatedMonthlySavings, remediationScripts } = await read(id);
    await follow(`/recommendations/${id}`);
    await screen.findByRole('heading', { level: 1, name: title });
    expect(amount(figure('Monthly savings'))).toBe(cents(estimatedMonthlySavings));
    await user.click(screen.getByRole('button', { name: /^Copy script/ }));
    expect(await navigator.clipboard.readText()).toBe(remediationScripts[0]?.script);

    await press(screen.getByRole('button', { name: 'Change status' }), 'Enter');
    await press(await screen.findByRole('menuitem', { name: 'In progress' }), 'Enter');
    const dialog = await screen.findByRole('dialog', { name: 'Mark as in progress' });
    await user.type(within(dialog).getByLabelText(/^Reason/), 'Asked its owner');
    await press(within(dialog).getByRole('button', { name: 'Mark as in progress' }), 'Enter');
    await waitForElementToBeRemoved(dialog);
    await settled();
    expect(await read(id)).toMatchObject({ status: 'IN_PROGRESS', statusReason: 'Asked its owner' });
    expect(mainText()).toContain('Asked its owner');

    await user.click(screen.getByRole('button', { name: 'Snooze' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Until a date…' }));
    const until = await screen.findByRole('dialog', { name: 'Snooze until a date' });
    await user.type(within(until).getByLabelText(/^Day/), '2020-01-01');
    await user.click(within(until).getByRole('button', { name: 'Snooze' }));
    await within(until).findByText(/Choose a day from/);
    await user.keyboard('{Escape}');
    await waitForElementToBeRemoved(until);
    await user.click(screen.getByRole('button', { name: 'Snooze' }));
    await user.click(await screen.findByRole('menuitem', { name: 'For 7 days' }));
    await screen.findByRole('button', { name: 'End snooze' });
    const days = (Date.parse((await read(id)).snoozedUntil ?? '') - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(7);
    await follow('/recommendations?type=aws_ebs_unattached');
    await waitFor(() => expect(mainText()).not.toContain(title));
    await press(screen.getByRole('checkbox', { name: 'Include snoozed' }), ' ');
    await user.click(await screen.findByRole('link', { name: title }));
    await user.click(await screen.findByRole('button', { name: 'End snooze' }));
    await screen.findByRole('button', { name: 'Snooze' });
    expect((await read(id)).snoozedUntil).toBeNull();
  });
});
