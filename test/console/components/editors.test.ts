import { screen, waitFor, within } from '@testing-library/dom';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { axeIssues } from './axe.ts';
import {
  changeAnswers,
  choose,
  failQuery,
  field,
  fill,
  follow,
  main,
  settled,
  signIn,
  useConsole,
  user,
} from './console.ts';
import { addDays, addMonths, monthStart, today } from '../../../src/console/words/days.ts';
import type { ConsoleApi } from '../client.ts';
import { demoApi, newOrganizationApi } from './world.ts';

interface Stored {
  readonly id: string;
  readonly updated_at: string;
  readonly name: string;
  readonly description: string;
  readonly rules: readonly { readonly value: string }[];
  readonly widgets: readonly { readonly title: string; readonly w: number }[];
}

const condition = { dimension: 'service', operator: 'in', values: ['EC2'] };
const ruleOf = (value: string) => ({ value, conditions: [condition] });
const widgetOf = (title: string, x = 0) => ({
  query: { group: 'service' },
  chart: 'number',
  title,
  x,
  y: 0,
  w: 6,
  h: 4,
});
const button = (name: string) => screen.getByRole('button', { name });

interface Form {
  readonly noun: string;
  /** API path of the records. */
  readonly path: string;
  readonly stored: object;
  /** Change of a colleague. */
  readonly theirs: object;
  /** Console path of the form. */
  at(id: string): string;
  /** Opens the form of the record with a name; the page is the form by default. */
  open?(name: string): Promise<unknown>;
  /** Label, stored and new value of the field that is changed. */
  readonly mine: readonly [label: string, from: string, to: string];
  readonly verb: string;
}

/** Clicks the item of a menu. */
async function clickItem(menu: string, item: string): Promise<void> {
  await user.click(await screen.findByRole('button', { name: menu }));
  await user.click(await screen.findByRole('menuitem', { name: item }));
}

/** The forms that change records, with one field each. */
const forms: readonly Form[] = [
  {
    noun: 'a budget, whose amount is per period',
    path: '/budgets',
    stored: { name: 'All', amount: 30_000 },
    theirs: { period: 'yearly', amount: 360_000 },
    at: (id) => `/budgets/${id}/edit`,
    mine: ['Amount per month', '30000', '32000'],
    verb: 'Save changes',
  },
  {
    noun: 'an alert rule, whose threshold has the unit of its metric',
    path: '/alert-rules',
    stored: { name: 'Daily', metric: 'daily_cost', operator: 'gt', threshold: 800 },
    theirs: { metric: 'day_over_day_percent', threshold: 20 },
    at: (id) => `/alert-rules/${id}`,
    mine: ['Threshold', '800', '900'],
    verb: 'Save changes',
  },
  {
    noun: 'a tag policy',
    path: '/tag-policies',
    stored: { name: 'Teams', rules: [{ key: 'team' }] },
    theirs: { rules: [{ key: 'team' }, { key: 'cost_center' }] },
    at: (id) => `/tags/policies/${id}`,
    mine: ['Name', 'Teams', 'Owners'],
    verb: 'Save',
  },
  {
    noun: 'a virtual tag',
    path: '/virtual-tags',
    stored: { name: 'Team', rules: [ruleOf('web')] },
    theirs: { rules: ['web', 'data'].map(ruleOf) },
    at: (id) => `/tags/virtual/${id}`,
    mine: ['Description', '', 'Owner of each service'],
    verb: 'Save',
  },
  {
    noun: 'a dashboard',
    path: '/dashboards',
    stored: { name: 'Monday' },
    theirs: { name: 'Friday' },
    at: (id) => `/dashboards/${id}`,
    open: () => clickItem('Actions for this dashboard', 'Rename or share'),
    mine: ['Name', 'Monday', 'Tuesday'],
    verb: 'Save changes',
  },
  {
    noun: 'a saved view',
    path: '/views',
    stored: { name: 'By region', page: 'costs', query: { group: 'region' } },
    theirs: { name: 'By service', query: { group: 'service' } },
    at: (id) => `/costs?group=region&saved=${id}`,
    open: (name) => clickItem(`Views: ${name}`, 'Rename or share'),
    mine: ['Name', 'By region', 'Regions'],
    verb: 'Save changes',
  },
  {
    noun: 'a channel',
    path: '/channels',
    stored: { name: 'Costs', kind: 'slack', url: 'https://hooks.slack.com/services/T1/B1/secret' },
    theirs: { name: 'Bills' },
    at: () => '/settings/channels',
    open: (name) => user.click(button(`Edit ${name}`)),
    mine: ['Name', 'Costs', 'Money'],
    verb: 'Save changes',
  },
  {
    noun: 'a report schedule',
    path: '/reports/schedules',
    stored: { name: 'Weekly', type: 'cost_by_account', format: 'csv', frequency: 'weekly' },
    theirs: { name: 'Each week' },
    at: () => '/reports/schedules',
    open: (name) => user.click(button(`Edit ${name}`)),
    mine: ['Name', 'Weekly', 'Mondays'],
    verb: 'Save changes',
  },
  {
    noun: 'a unit metric',
    path: '/metrics',
    stored: { key: 'orders', name: 'Orders', unit: 'order' },
    theirs: { unit: 'parcel' },
    at: (id) => `/unit-costs/${id}`,
    open: () => clickItem('More actions', 'Edit'),
    mine: ['Name', 'Orders', 'Parcels'],
    verb: 'Save changes',
  },
];

/** The page of an account is refetched during its syncs. */
const account: Form = {
  noun: 'an account',
  path: '/accounts',
  stored: { name: 'Bills', provider: 'focus', settings: { source: 'uploads' } },
  theirs: { name: 'Invoices' },
  at: (id) => `/accounts/${id}`,
  open: () => clickItem('Manage', 'Rename'),
  mine: ['Name', 'Bills', 'Charges'],
  verb: 'Rename',
};

const conflict = /was changed after you opened it, so your changes were not saved/;

/** Opens the form of a record, and returns its field. */
async function edit({ at, open, mine: [label] }: Form, id: string, name: string): Promise<HTMLInputElement> {
  await follow(at(id));
  await open?.(name);
  return screen.findByLabelText<HTMLInputElement>(new RegExp(`^${label}( \\*)?$`));
}

/** Checks that a form is rejected, and keeps its input, if a colleague has changed the record since it was opened. */
async function expectRefused(api: ConsoleApi, form: Form, id: string): Promise<void> {
  const { path, theirs, mine, verb } = form;
  const [, from, to] = mine;
  const input = await edit(form, id, from);
  const { updated_at: changedAt } = await api.rest<Stored>('PATCH', `${path}/${id}`, { body: theirs });
  await fill(input, to);
  // Fields show entered amounts formatted once they lose the focus.
  await user.tab();
  const entered = input.value;
  await user.click(button(verb));
  await screen.findByText(conflict);
  button('Reload');
  expect(input.value).toBe(entered);
  expect((await api.rest<Stored>('GET', `${path}/${id}`)).updated_at).toBe(changedAt);
}

/** Checks that a form can change a record repeatedly. */
async function expectSaved(api: ConsoleApi, form: Form, id: string): Promise<void> {
  const [, from, to] = form.mine;
  const pairs = [
    [from, to],
    [to, from],
    [from, to],
  ] as const;
  for (const [before, after] of pairs) {
    await fill(await edit(form, id, before), after);
    await user.click(button(form.verb));
    const stored = async () => Object.values(await api.rest<object>('GET', `${form.path}/${id}`)).map(String);
    await waitFor(async () => expect(await stored()).toContain(after));
    await settled();
  }
  expect(screen.queryByText(conflict)).toBeNull();
}

describe('concurrent editors', () => {
  const api = newOrganizationApi();
  useConsole();
  beforeAll(() => signIn(api()));

  const create = (path: string, body: object) => api().rest<Stored>('POST', path, { body });
  /** The change of a colleague. */
  const change = (path: string, body: object) => api().rest<Stored>('PATCH', path, { body });
  const read = (path: string) => api().rest<Stored>('GET', path);

  /** Checks that the page shows the conflict and can be loaded again, which asks while there is something to lose. */
  async function expectConflict(isUnsaved = true): Promise<void> {
    const alert = await main().findByRole('alert');
    expect(alert.textContent).toContain('was changed after you opened it, so your changes were not saved');
    expect(await axeIssues()).toEqual([]);
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
    await user.click(within(alert).getByRole('button', { name: 'Reload' }));
    expect(reload).toHaveBeenCalledOnce();
    reload.mockRestore();
    expect(dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(!isUnsaved);
  }

  it.each([...forms, account])('see that a colleague has changed $noun', async (form) => {
    const { id } = await create(form.path, form.stored);
    await expectRefused(api(), form, id);
    await api().rest('DELETE', `${form.path}/${id}`);
  });

  it.each(forms)('save their own changes one after another: $noun', async (form) => {
    const { id } = await create(form.path, form.stored);
    await expectSaved(api(), form, id);
    await api().rest('DELETE', `${form.path}/${id}`);
  });

  it('start from their own saved change while the list is refetched', async () => {
    const { id } = await create('/channels', {
      name: 'Costs',
      kind: 'slack',
      url: 'https://hooks.slack.com/services/T1/B1/s',
    });
    await follow('/settings/channels');
    const refetch = Promise.withResolvers<void>();
    const send = fetch;
    const sending = vi.spyOn(globalThis, 'fetch').mockImplementation(async (resource, init) => {
      if (String(init?.body).includes('query Channels(')) await refetch.promise;
      return send(resource, init);
    });
    const rename = async (from: string, to: string) => {
      await user.click(await screen.findByRole('button', { name: `Edit ${from}` }));
      await fill(await screen.findByLabelText(/^Name( \*)?$/), to);
      await user.click(button('Save changes'));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    };
    await rename('Costs', 'Money');
    await rename('Money', 'Spend');
    expect((await read(`/channels/${id}`)).name).toBe('Spend');
    refetch.resolve();
    sending.mockRestore();
    await settled();
    await api().rest('DELETE', `/channels/${id}`);
  });

  it('see that a colleague has changed the rules, and keep the form', async () => {
    const { id } = await create('/virtual-tags', { name: 'Area', rules: [ruleOf('web')] });
    const path = `/virtual-tags/${id}`;
    await follow(`/tags/virtual/${id}`);
    await change(path, { rules: ['web', 'data'].map(ruleOf) });
    const value = within(screen.getByRole('group', { name: 'Rule 1' })).getByRole('combobox', {
      name: /^Value( \*)?$/,
    });
    await fill(value, 'shop');
    await user.click(button('Save'));
    await expectConflict();
    expect((value as HTMLInputElement).value).toBe('shop');
    expect((await read(path)).rules.map((rule) => rule.value)).toEqual(['web', 'data']);
  });

  it.each(['the network is down', 'a colleague deletes the record'])('keep their input when %s', async (reason) => {
    const { id } = await create('/virtual-tags', { name: reason, rules: [ruleOf('web')] });
    // The page polls.
    changeAnswers<{ virtualTag: object }>('VirtualTag(', ({ virtualTag }) => ({
      virtualTag: { ...virtualTag, evaluating: true, evaluatedPercent: 50 },
    }));
    await follow(`/tags/virtual/${id}`);
    const input = await screen.findByLabelText<HTMLInputElement>('Description');
    await fill(input, 'Mine');
    const isDown = reason === 'the network is down';
    const restore = isDown ? failQuery('VirtualTag(') : () => {};
    if (!isDown) await api().rest('DELETE', `/virtual-tags/${id}`);
    const alert = await main().findByRole('alert');
    expect(alert.textContent).toMatch(isDown ? /^The server is not available/ : /^Not found/);
    expect(screen.getByLabelText('Description')).toBe(input);
    expect(input.value).toBe('Mine');
    expect(await axeIssues()).toEqual([]);
    expect(within(alert).queryAllByRole('button')).toHaveLength(isDown ? 1 : 0);
    restore();
    if (!isDown) return;
    await user.click(within(alert).getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(main().queryByRole('alert')).toBeNull());
    expect(input.value).toBe('Mine');
    await user.click(button('Save'));
    await waitFor(async () => expect((await read(`/virtual-tags/${id}`)).description).toBe('Mine'));
  });

  it('see that a colleague has restricted a member', async () => {
    const { email } = await api().join('viewer');
    const { data } = await api().rest<{ data: { id: string; user: { name: string; email: string } }[] }>(
      'GET',
      '/org/members',
    );
    const member = data.find(({ user: { email: own } }) => own === email);
    const path = `/org/members/${member?.id}`;
    await follow('/settings/members');
    await clickItem(`Manage ${member?.user.name}`, 'Account access');
    await user.click(await screen.findByRole('radio', { name: /^No accounts/ }));
    await create('/accounts', account.stored);
    const { data: accounts } = await api().rest<{ data: Stored[] }>('GET', '/accounts');
    await change(path, { account_access: [accounts[0]?.id] });
    await user.click(button('Save'));
    await screen.findByText(conflict);
    expect(await read(path)).toMatchObject({ account_access: [accounts[0]?.id] });
    await user.click(button('Cancel'));
    await api().rest('DELETE', `/accounts/${accounts[0]?.id}`);
  });

  it('keep the rules of a tag policy', async () => {
    const { id } = await create('/tag-policies', { name: 'Teams', rules: [{ key: 'team' }] });
    const path = `/tag-policies/${id}`;
    await follow(`/tags/policies/${id}`);
    await change(path, { name: 'Ours' });
    await user.click(button('Add a rule'));
    await fill(within(screen.getByRole('group', { name: 'Rule 2' })).getByRole('combobox', { name: /^Key/ }), 'env');
    await user.click(button('Save'));
    await expectConflict();
  });

  it('keep the widgets of a dashboard', async () => {
    const { id } = await create('/dashboards', { name: 'Monday', widgets: [widgetOf('Left')] });
    const path = `/dashboards/${id}`;
    await follow(path);
    await user.click(button('Edit layout'));
    await change(path, { widgets: [widgetOf('Left'), widgetOf('Right', 6)] });
    await user.click(button('Actions for Left'));
    await user.click(await screen.findByRole('menuitem', { name: 'Narrower' }));
    await user.click(button('Save layout'));
    await expectConflict();
    expect(button('Save layout')).toBeTruthy();
    expect((await read(path)).widgets).toMatchObject([{ title: 'Left', w: 6 }, { title: 'Right' }]);
  });

  it('keep the filters of a saved view', async () => {
    const { id } = await create('/views', { name: 'Ours', page: 'costs', query: { group: 'region' } });
    await follow(`/costs?group=account&saved=${id}`);
    const { updated_at: changedAt } = await change(`/views/${id}`, { query: { group: 'service' } });
    await clickItem('Views: Ours', 'Update with the current filters');
    await screen.findByText(/^The view was not saved: it was changed after you opened this page\. Reload, then/);
    expect((await read(`/views/${id}`)).updated_at).toBe(changedAt);
  });

  it('do not replace an exchange rate when adding one', async () => {
    const known = { month: today().slice(0, 7), from: 'EUR', to: 'USD', rate: 1.5 };
    await api().rest('PUT', '/org/exchange-rates', { body: { rates: [known] } });
    await follow('/settings/exchange-rates');
    await user.click(button('Add rates'));
    await choose(screen.getByRole('combobox', { name: 'From' }), known.from);
    await fill(field('Month'), known.month);
    await fill(screen.getByRole('textbox', { name: /^Rate for/ }), '2');
    await user.click(button('Save'));
    expect((await screen.findByRole('alert')).textContent).toMatch(
      / already has the rate 1\.5\. Change it in the list of rates\.$/,
    );
    expect((await api().rest<{ rates: object[] }>('GET', '/org/exchange-rates')).rates).toMatchObject([known]);
  }, 60_000);

  it('add a widget to a dashboard that a colleague changes at the same time', async () => {
    const { id } = await create('/dashboards', { name: 'A wall' });
    const path = `/dashboards/${id}`;
    await follow('/costs');
    await user.click(button('Use this view'));
    await user.click(await screen.findByRole('menuitem', { name: 'Add to dashboard' }));
    const dialog = await screen.findByRole('dialog', { name: 'Add to dashboard' });
    expect(field('Dashboard', dialog).value).toBe('A wall');
    await fill(field('Title', dialog), 'Mine');
    const send = fetch;
    const sending = vi.spyOn(globalThis, 'fetch').mockImplementation(async (resource, init) => {
      const isSave = resource === '/graphql' && String(init?.body).includes('updateDashboard');
      if (isSave && (await read(path)).widgets.length === 0) await change(path, { widgets: [widgetOf('Theirs')] });
      return send(resource, init);
    });
    await user.click(within(dialog).getByRole('button', { name: 'Add to dashboard' }));
    await screen.findByRole('heading', { level: 1, name: 'A wall' });
    await settled();
    sending.mockRestore();
    await waitFor(async () => expect((await read(path)).widgets.map(({ title }) => title)).toEqual(['Theirs', 'Mine']));
  });
});

describe('concurrent editors of notes', () => {
  const api = demoApi();
  useConsole();
  beforeAll(() => signIn(api()));

  const from = addMonths(monthStart(today()), -1);
  const day = addDays(from, 3);
  const form: Form = {
    noun: 'a note',
    path: '/annotations',
    stored: { text: 'Migration', start_date: day },
    theirs: { start_date: addDays(day, -1), end_date: day },
    at: () => `/costs?from=${from}&to=${addDays(from, 9)}&day=${day}`,
    open: (text) => clickItem(`Actions for the note ${text}`, 'Edit note'),
    mine: ['Note', 'Migration', 'Migration ended'],
    verb: 'Save changes',
  };

  it('save their own changes one after another, and see those of others', async () => {
    const { id } = await api().rest<Stored>('POST', form.path, { body: form.stored });
    await expectSaved(api(), form, id);
    await follow('/costs');
    await expectRefused(api(), { ...form, mine: ['Note', 'Migration ended', 'Ended'] }, id);
  });
});
