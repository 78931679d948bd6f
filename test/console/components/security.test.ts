import { screen, waitFor, within } from '@testing-library/dom';
import { generateSync } from 'otplib';
import { describe, expect, it } from 'vitest';
import { registerAt, type ConsoleApi } from '../client.ts';
import type { Person } from '../data.ts';
import { axeIssues } from './axe.ts';
import {
  field,
  fill,
  follow,
  logIn,
  logOut,
  openDialog,
  reload,
  rowsOf,
  settled,
  signIn,
  useConsole,
  user,
} from './console.ts';
import { newOrganizationApi } from './world.ts';

const password = 'plum kite orbit';
const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** Registers a user with a new organization. */
async function register(api: ConsoleApi, email: string): Promise<Person> {
  await registerAt(api.url, { email, password, name: 'Bea Example', organization_name: `The house of ${email}` });
  return { email, password };
}

/** Returns a code of an authenticator app. @param step 0: current; 1: next half minute, which the server also accepts */
function codeOf(secret: string, step: 0 | 1): string {
  return generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + step * 30 });
}

/** Logs in with another browser.
 *  @returns its access token */
async function logInElsewhere(api: ConsoleApi, person: Person, code?: string): Promise<string> {
  const body = JSON.stringify({ ...person, ...(code && { totp_code: code }) });
  const headers = { 'content-type': 'application/json', 'user-agent': chrome };
  const response = await fetch(`${api.url}/api/v1/auth/login`, { method: 'POST', headers, body });
  expect(response.status).toBe(200);
  return ((await response.json()) as { access_token: string }).access_token;
}

/** The status of a request with a token. */
async function statusOf(api: ConsoleApi, token: string, method = 'GET', path = '/budgets'): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${api.url}/api/v1${path}`, { method, headers })).status;
}

/** A card of the page. */
function card(name: string) {
  return within(screen.getByRole('region', { name }));
}

const click = async (name: string | RegExp, at: HTMLElement = document.body) =>
  user.click(await within(at).findByRole('button', { name }));
const opens = (name: string) => screen.findByRole('heading', { level: 1, name });

describe('security', () => {
  const api = newOrganizationApi();
  useConsole();

  it('sets up an authenticator app, asks for its code at login, and accepts recovery codes instead', async () => {
    const person = await register(api(), 'app@example.com');
    await signIn(api(), person);
    await follow('/settings/security');
    const secondFactor = () => card('Two-factor authentication');
    await user.click(secondFactor().getByRole('button', { name: 'Set up' }));
    await screen.findByRole('img', { name: 'QR code for the authenticator app' });
    const secret = (document.querySelector('code')?.textContent ?? '').replaceAll(/\s/g, '');
    expect(await axeIssues()).toEqual([]);
    await fill(field('Code from the app'), '12345');
    await user.keyboard('{Enter}');
    await screen.findByText('Enter the 6-digit code from the app');
    await fill(field('Code from the app'), codeOf(secret, 0));
    await user.keyboard('{Enter}');
    const codes = await keepCodes();
    expect(new Set(codes).size).toBe(10);
    await secondFactor().findByText(/10 codes left\./);

    await logOut();
    await logIn(person);
    await fill(field('Code'), codeOf(secret, 1));
    expect(await axeIssues()).toEqual([]);
    await user.keyboard('{Enter}');
    await opens('Security');

    await logOut();
    await logIn(person);
    await click('Use a recovery code');
    await fill(field('Recovery code'), codes[0]?.toLowerCase() ?? '');
    await user.keyboard('{Enter}');
    await opens('Security');
    await secondFactor().findByText(/9 codes left\./);
    for (const code of codes.slice(1, 8)) await logInElsewhere(api(), person, code);
    await reload();
    await secondFactor().findByText(/Only 2 codes left\./);
    await click('Renew');
    const dialog = await openDialog();
    await fill(field('Password', dialog), password);
    await fill(field('Code', dialog), codes[0] ?? '');
    await user.keyboard('{Enter}');
    await waitFor(() =>
      expect(within(dialog).getByRole('alert').textContent).toContain('The code is wrong or was already used'),
    );
    await fill(field('Code', dialog), codes[8] ?? '');
    await user.keyboard('{Enter}');
    const renewed = await keepCodes(async (shown) => {
      await click('Copy', await openDialog());
      expect(await navigator.clipboard.readText()).toBe(shown.join('\n'));
    });
    expect(renewed).toHaveLength(10);
    await secondFactor().findByText(/10 codes left\./);
  });

  it('ends the other sessions when the password changes, and reports a wrong password at its field', async () => {
    const person = await register(api(), 'password@example.com');
    const other = await logInElsewhere(api(), person);
    await signIn(api(), person);
    await follow('/settings/security');
    await fill(field('Current password'), 'not the password');
    await fill(field('New password'), 'amber quiet river');
    await user.keyboard('{Enter}');
    await card('Password').findByText(/The password is wrong/);
    await waitFor(() => expect(document.activeElement).toBe(field('Current password')));
    expect(await statusOf(api(), other)).toBe(200);
    await fill(field('Current password'), password);
    await user.keyboard('{Enter}');
    await screen.findByText(/Password changed\./);
    expect(await statusOf(api(), other)).toBe(401);
    await follow('/budgets');
    await opens('Budgets');
  });

  it('asks to sign in again after a change of the password elsewhere, and goes on to the page', async () => {
    const person = await register(api(), 'changed@example.com');
    await signIn(api(), person);
    const newPassword = 'amber quiet river';
    await api().gql(
      'mutation ($password: String!, $newPassword: String!) { changePassword(password: $password, newPassword: $newPassword) }',
      { password, newPassword },
      person,
    );
    await user.click(screen.getByRole('link', { name: 'Budgets' }));
    await screen.findByText(/Your session has ended\./);
    await logIn({ ...person, password: newPassword });
    await opens('Budgets');
    expect(location.pathname).toBe('/budgets');
  });

  it('shows an API token once, limits it to the chosen scopes, and revokes it', async () => {
    await signIn(api());
    await follow('/settings/tokens');
    await click('New token');
    await click('Create token', await openDialog());
    await screen.findByText('Enter a name for the token');
    await fill(field('Name', await openDialog()), 'Grafana');
    await user.keyboard('{Enter}');
    const dialog = await screen.findByRole('dialog', { name: 'Token for Grafana' });
    await click('Copy the token', dialog);
    const token = await navigator.clipboard.readText();
    expect(within(dialog).getByRole('region', { name: 'the example' }).textContent).toContain(
      `${api().url}/api/v1/costs/summary`,
    );
    expect(await axeIssues()).toEqual([]);
    await click('I have copied it', dialog);
    await waitFor(() => expect(document.documentElement.outerHTML).not.toContain(token));
    const [row] = rowsOf(await screen.findByRole('table', { name: 'Your API tokens' }));
    expect(row?.slice(0, 3)).toEqual(['Grafana', `svc_…${token.slice(-4)}`, 'Read only']);
    expect(await statusOf(api(), token)).toBe(200);
    expect(await statusOf(api(), token, 'DELETE', '/budgets/00000000-0000-4000-8000-000000000000')).toBe(403);
    await click('Revoke Grafana');
    await click('Revoke', await openDialog());
    await screen.findByText('No API tokens');
    expect(await statusOf(api(), token)).toBe(401);
  });

  it('lists sessions by browser, ends one, then all others', async () => {
    const person = await register(api(), 'sessions@example.com');
    const first = await logInElsewhere(api(), person);
    const second = await logInElsewhere(api(), person);
    await signIn(api(), person);
    await follow('/settings/sessions');
    const table = screen.getByRole('table', { name: 'Your sessions' });
    const rows = rowsOf(table);
    const agents = rows.map(([agent]) => agent?.split('127')[0]);
    expect(agents).toEqual(['Node.js', 'Chrome on Linux', 'Chrome on Linux', 'Node.js']);
    expect(rows.map((row) => row.at(-1))).toEqual(['This session', 'End', 'End', 'End']);
    const [newer] = within(table).getAllByRole('button', { name: 'End the session in Chrome on Linux' });
    await user.click(newer ?? table);
    await screen.findByText(/3 sessions/);
    expect(await Promise.all([first, second].map((token) => statusOf(api(), token)))).toEqual([200, 401]);
    await click('End all others');
    await within(await openDialog()).findByText(/2 other sessions end immediately/);
    await click('End sessions');
    await screen.findByText('1 session');
    await settled();
    expect(screen.queryByRole('button', { name: 'End all others' })).toBeNull();
    expect(await statusOf(api(), first)).toBe(401);
  });

  it('changes a name everywhere at once, keeps the chosen theme, and offers a Viewer no page for Admins', async () => {
    await signIn(api(), await api().join('viewer'));
    const places = within(screen.getByRole('navigation', { name: 'Settings' })).getAllByRole('link');
    expect(places.map(({ textContent }) => textContent)).toEqual([
      'Profile',
      'Security',
      'API tokens',
      'Sessions',
      'Notifications',
      'General',
      'Members',
      'Channels',
      'Exchange rates',
    ]);
    expect(field('Email').readOnly).toBe(true);
    expect(card('Membership').getAllByText('Viewer')).toHaveLength(1);
    await fill(field('Name'), 'Vera Example');
    await user.keyboard('{Enter}');
    await screen.findAllByRole('button', { name: /Vera Example.*: menu$/ });
    screen.getByRole('radio', { name: 'System' }).focus();
    await user.keyboard('{ArrowRight}{ArrowRight}');
    await reload();
    expect(document.documentElement.getAttribute('data-mantine-color-scheme')).toBe('dark');
  });
});

/** Reads the recovery codes and goes on, which takes a confirmation that they are saved.
 *  @param look is called while they are shown */
async function keepCodes(look?: (codes: readonly string[]) => Promise<void>): Promise<string[]> {
  const list = await screen.findByRole('list', { name: 'Recovery codes' });
  const codes = within(list)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
  await look?.(codes);
  const done = screen.getByRole<HTMLButtonElement>('button', { name: 'Done' });
  expect(done.disabled).toBe(true);
  await user.click(screen.getByLabelText('I have saved them'));
  await user.click(done);
  return codes;
}
