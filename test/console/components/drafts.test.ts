import fs from 'node:fs';
import { screen, waitFor, within } from '@testing-library/dom';
import { generateSync } from 'otplib';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { secretFields } from '../../../src/console/parts/form/drafts.ts';
import type { ConsoleApi } from '../client.ts';
import type { Person } from '../data.ts';
import { axeIssues } from './axe.ts';
import {
  choose,
  field,
  fill,
  follow,
  logIn,
  logOut,
  main,
  openDialog,
  press,
  settled,
  signIn,
  useConsole,
  user,
} from './console.ts';
import { demoApi, newOrganizationApi } from './world.ts';

interface Sessions {
  readonly data: readonly { readonly id: string; readonly current: boolean }[];
}

/** Ends all sessions of a person elsewhere, and returns to the tab. */
async function endSessions(api: ConsoleApi, person: Person): Promise<void> {
  const { data } = await api.rest<Sessions>('GET', '/auth/sessions?per_page=100', { as: person });
  for (const { id, current } of data) if (!current) await api.rest('DELETE', `/auth/sessions/${id}`, { as: person });
  document.dispatchEvent(new Event('visibilitychange'));
  await screen.findByText(/Your session has ended\./);
}

const restored = () => screen.queryByText(/^Your unsaved changes were restored\./);
const discard = () => screen.getByRole('button', { name: 'Discard changes' });
/** Clicks the button with this name; an empty list repeats that of its page. */
const click = async (name: string) => user.click((await screen.findAllByRole('button', { name }))[0] ?? document.body);

async function fillBudget(api: ConsoleApi, person: Person): Promise<void> {
  await signIn(api, person);
  await follow('/budgets/new');
  await fill(field('Name'), 'Plum budget');
  await fill(field('Amount per month'), '1200');
  await user.type(screen.getByRole('combobox', { name: 'Additional recipients' }), 'kim@example.com{Enter}');
}

describe('the console after a change of access', () => {
  const api = newOrganizationApi();
  useConsole();

  it('restores unsaved changes when the role allows the form again, unless they were discarded', async () => {
    const person = await api().join('admin');
    const { data } = await api().rest<{ data: { id: string }[] }>('GET', `/org/members?search=${person.email}`);
    const become = async (role: string, title: string) => {
      await api().rest('PATCH', `/org/members/${data[0]?.id}`, { body: { role } });
      document.dispatchEvent(new Event('visibilitychange'));
      await settled();
      await screen.findByRole('heading', { level: 1, name: title });
    };
    const refused = 'Not available for your role';
    await fillBudget(api(), person);
    // The form stays.
    await become('member', 'New budget');
    expect(field('Name').value).toBe('Plum budget');
    expect(restored()).toBeNull();
    await become('viewer', refused);
    await become('member', 'New budget');
    expect(field('Name').value).toBe('Plum budget');
    expect(field('Amount per month').value).toBe('1,200 USD');
    expect(main().getByText('kim@example.com')).toBeTruthy();
    expect(restored()).not.toBeNull();
    await user.click(discard());
    await become('viewer', refused);
    await become('member', 'New budget');
    expect(field('Name').value).toBe('');
    expect(restored()).toBeNull();
  });

  it('restores unsaved changes after a two-factor setup that the organization requires', async () => {
    const person = await api().join('admin');
    await fillBudget(api(), person);
    await api().rest('PATCH', '/org', { body: { require_two_factor: true }, as: person });
    document.dispatchEvent(new Event('visibilitychange'));
    await screen.findByRole('heading', { level: 1, name: 'Set up two-factor authentication' });
    await user.click(screen.getByRole('button', { name: /^Authenticator app/ }));
    await screen.findByRole('img', { name: 'QR code for the authenticator app' });
    const secret = document.querySelector('code')?.textContent.replaceAll(/\s/g, '') ?? '';
    await user.type(await screen.findByLabelText(/^Code from the app/), `${generateSync({ secret })}{Enter}`);
    await user.click(await screen.findByLabelText('I have saved them'));
    await click('Done');
    await screen.findByRole('heading', { level: 1, name: 'New budget' });
    await settled();
    expect(field('Name').value).toBe('Plum budget');
    expect(restored()).not.toBeNull();
  });
});

describe('the page of an anomaly with an unsaved note', () => {
  const api = demoApi();
  useConsole();

  it('asks before a link discards it, and restores it after the end of a session', async () => {
    const person = await api().join('member');
    const { anomalies } = await api().gql<{ anomalies: { data: { id: string }[] } }>(
      '{ anomalies(status: [OPEN], perPage: 1) { data { id } } }',
    );
    const ask = vi.fn<typeof confirm>(() => false);
    vi.stubGlobal('confirm', ask);
    await signIn(api(), person);
    const path = `/anomalies/${anomalies.data[0]?.id}`;
    await follow(path);
    await click('Add note');
    await fill(field('Note'), 'Plum launch');
    await user.click(screen.getByRole('link', { name: 'Forecast' }));
    vi.unstubAllGlobals();
    expect([location.pathname, field('Note').value]).toEqual([path, 'Plum launch']);
    expect(ask.mock.calls).toEqual([['Leave without saving your changes?']]);
    await endSessions(api(), person);
    await logIn(person);
    expect([location.pathname, field('Note').value]).toEqual([path, 'Plum launch']);
    expect(restored()).not.toBeNull();
    await click('Cancel');
    await user.click(screen.getByRole('link', { name: 'Forecast' }));
    await settled();
    expect(location.pathname).toBe('/forecast');
  });
});

describe('the console after the end of a session', () => {
  const api = newOrganizationApi();
  useConsole();
  let ana: Person;
  let bo: Person;
  beforeAll(async () => {
    ana = await api().join('admin');
    bo = await api().join('admin');
  });

  it('restores the fields of a page for the same user, who can discard them', async () => {
    await fillBudget(api(), ana);
    await endSessions(api(), ana);
    expect(document.body.innerHTML).not.toContain('Plum');
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('Plum');
    await logIn(ana);
    expect(location.pathname).toBe('/budgets/new');
    expect(field('Name').value).toBe('Plum budget');
    expect(field('Amount per month').value).toBe('1,200 USD');
    expect(main().getByText('kim@example.com')).toBeTruthy();
    expect(restored()?.closest('[role="status"]')).not.toBeNull();
    expect(await axeIssues()).toEqual([]);
    // The second end of the session restores them again.
    await endSessions(api(), ana);
    await logIn(ana);
    expect(field('Name').value).toBe('Plum budget');
    await user.click(discard());
    expect(field('Name').value).toBe('');
    expect(field('Amount per month').value).toBe('');
    expect(main().queryByText('kim@example.com')).toBeNull();
    expect(restored()).toBeNull();
    expect(document.activeElement).toBe(field('Name'));
    await endSessions(api(), ana);
    await logIn(ana);
    expect(field('Name').value).toBe('');
    expect(restored()).toBeNull();
  });

  it('restores unsaved changes after a sign-out in another tab', async () => {
    await fillBudget(api(), ana);
    const tabs = new BroadcastChannel('costkeep-session');
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- channels have no target
    tabs.postMessage('out');
    await screen.findByText('You signed out in another tab.');
    tabs.close();
    await logIn(ana);
    expect(field('Name').value).toBe('Plum budget');
  });

  it('restores unsaved changes once, and not after they are saved', async () => {
    await fillBudget(api(), ana);
    await endSessions(api(), ana);
    await logIn(ana);
    await click('Create budget');
    await screen.findByRole('heading', { level: 1, name: 'Plum budget' });
    await follow('/budgets/new');
    expect(field('Name').value).toBe('');
    await endSessions(api(), ana);
    await logIn(ana);
    expect(field('Name').value).toBe('');
  });

  it('drops unsaved changes when another user signs in, even if the first one returns', async () => {
    await fillBudget(api(), ana);
    await endSessions(api(), ana);
    await logIn(bo);
    expect(location.pathname).toBe('/budgets/new');
    expect(field('Name').value).toBe('');
    await endSessions(api(), bo);
    await logIn(ana);
    expect(field('Name').value).toBe('');
    expect(restored()).toBeNull();
  });

  it('drops unsaved changes on a sign-out in this tab', async () => {
    await fillBudget(api(), ana);
    const ask = vi.fn<typeof confirm>(() => true);
    vi.stubGlobal('confirm', ask);
    await logOut();
    vi.unstubAllGlobals();
    expect(ask).toHaveBeenCalledOnce();
    await logIn(ana);
    expect(location.pathname).toBe('/budgets/new');
    expect(field('Name').value).toBe('');
  });

  it('restores a dialog, but never a webhook address', async () => {
    await signIn(api(), ana);
    await follow('/settings/channels');
    await click('New channel');
    const dialog = await openDialog();
    await fill(field('Name', dialog), 'Plum alerts');
    await fill(field('Webhook URL', dialog), 'https://hooks.example.com/plum-secret');
    await endSessions(api(), ana);
    await logIn(ana);
    // The address opens it.
    const again = await openDialog();
    expect(field('Name', again).value).toBe('Plum alerts');
    expect(field('Webhook URL', again).value).toBe('');
    expect(again.contains(restored())).toBe(true);
    expect(await axeIssues()).toEqual([]);
    await press(within(again).getByRole('button', { name: 'Cancel' }), 'Enter');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await click('New channel');
    expect(field('Name', await openDialog()).value).toBe('');
  });

  it('restores a dialog when it is opened again, for the record that was changed only', async () => {
    for (const name of ['Ada', 'Bob'])
      await api().rest('POST', '/channels', {
        body: { name, kind: 'slack', url: `https://hooks.slack.com/services/T0/B0/${name}` },
        as: ana,
      });
    await signIn(api(), ana);
    await follow('/settings/channels');
    const edit = async (name: string) => {
      await click(`Edit ${name}`);
      return openDialog();
    };
    await fill(field('Name', await edit('Ada')), 'Ada 2');
    await endSessions(api(), ana);
    await logIn(ana);
    const other = await edit('Bob');
    expect(field('Name', other).value).toBe('Bob');
    await press(within(other).getByRole('button', { name: 'Cancel' }), 'Enter');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(field('Name', await edit('Ada')).value).toBe('Ada 2');
  });

  it('restores the settings of the organization', async () => {
    await signIn(api(), ana);
    await follow('/settings/organization');
    const stored = field('Name').value;
    await fill(field('Name'), 'Plum Kite Holding');
    await endSessions(api(), ana);
    await logIn(ana);
    expect(field('Name').value).toBe('Plum Kite Holding');
    await user.click(discard());
    expect(field('Name').value).toBe(stored);
    expect(restored()).toBeNull();
  });

  it('restores the rules of a virtual tag', async () => {
    await signIn(api(), ana);
    await follow('/tags/virtual/new');
    await fill(field('Name'), 'Plum line');
    await click('Add rule');
    await choose(screen.getByRole('combobox', { name: 'Condition 1 of rule 2: dimension' }), 'Service');
    await endSessions(api(), ana);
    await logIn(ana);
    expect(field('Name').value).toBe('Plum line');
    expect(screen.getAllByRole('group', { name: /^Rule \d$/ })).toHaveLength(2);
    await user.click(discard());
    expect(screen.getAllByRole('group', { name: /^Rule \d$/ })).toHaveLength(1);
  });

  it('restores the layout of a dashboard', async () => {
    const { id } = await api().rest<{ id: string }>('POST', '/dashboards', { body: { name: 'Plum board' }, as: ana });
    await signIn(api(), ana);
    await follow(`/dashboards/${id}`);
    await click('Add widget');
    await fill(field('Title', await openDialog()), 'Plum widget');
    await user.keyboard('{Enter}');
    await main().findByText('Plum widget');
    await endSessions(api(), ana);
    await logIn(ana);
    expect(main().getByText('Plum widget')).toBeTruthy();
    expect(restored()).not.toBeNull();
    await click('Save layout');
    await main().findByRole('button', { name: 'Edit layout' });
    await main().findByText('Plum widget');
    expect(restored()).toBeNull();
  });

  it('keeps no field that hides what is typed', () => {
    const files = fs.globSync('src/console/**/*.tsx').map((file) => fs.readFileSync(file, 'utf8'));
    const fields = files.flatMap((text) => [...text.matchAll(/<PasswordField\b[^>]*?field\('(\w+)'\)/g)]);
    const names = new Set(fields.map(([, name = '']) => name));
    expect([...names].filter((name) => !secretFields.has(name))).toEqual([]);
    expect([...names].toSorted()).toEqual(['newPassword', 'password', 'url']);
  });
});
