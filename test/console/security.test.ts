import { generateSync } from 'otplib';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { addAuthenticator } from './authenticator.ts';
import { seriousIssues } from './axe.ts';
import { describeInBrowser, errorsOf, follow, rowsOf, settled, signIn, useBrowser } from './browser.ts';
import { newOrganization, registerAt, type ConsoleWorld, type Person } from './world.ts';

const password = 'plum kite orbit';

/** Registers a user with a new organization. */
async function register(world: ConsoleWorld, email: string): Promise<Person> {
  await registerAt(world.url, { email, password, name: 'Bea Example', organization_name: `The house of ${email}` });
  return { email, password };
}

/** Returns a code of an authenticator app. @param step 0: current; 1: next half minute, which the server also accepts */
function codeOf(secret: string, step: 0 | 1): string {
  return generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + step * 30 });
}

/** Returns the secret that the page shows for manual entry. */
async function shownSecret(page: Page): Promise<string> {
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  return (await page.locator('code').first().innerText()).replaceAll(/\s/g, '');
}

/** Logs in with a code, outside the browser. */
async function logInElsewhere(world: ConsoleWorld, person: Person, code: string): Promise<void> {
  const body = JSON.stringify({ ...person, totp_code: code });
  const headers = { 'content-type': 'application/json' };
  const { status } = await fetch(`${world.url}/api/v1/auth/login`, { method: 'POST', headers, body });
  expect(status).toBe(200);
}

/** Confirms the app with a code, reads the recovery codes, and continues. */
async function confirm(page: Page, secret: string): Promise<string[]> {
  await page.getByLabel('Code from the app').fill(codeOf(secret, 0));
  await page.keyboard.press('Enter');
  const list = page.getByRole('list', { name: 'Recovery codes' });
  await list.waitFor();
  const codes = await list.getByRole('listitem').allInnerTexts();
  await expect.poll(() => page.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true);
  await page.getByLabel('I have saved them').check();
  await page.getByRole('button', { name: 'Done' }).click();
  return codes;
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /: menu$/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
}

/** A card of the page. */
function card(page: Page, name: string) {
  return page.getByRole('region', { name, exact: true });
}

describeInBrowser('security', () => {
  const world = newOrganization();
  const browser = useBrowser();

  it('sets up an authenticator app, asks for its code at login, and accepts recovery codes instead', async () => {
    const person = await register(world(), 'app@example.com');
    const page = await browser.signedIn(world(), person);
    await follow(page, '/settings/security');
    await card(page, 'Two-factor authentication').getByRole('button', { name: 'Set up' }).click();
    const secret = await shownSecret(page);
    expect(await seriousIssues(page)).toEqual([]);
    await page.getByLabel('Code from the app').fill('12345');
    await page.keyboard.press('Enter');
    await page.getByText('Enter the 6-digit code from the app').waitFor();
    const codes = await confirm(page, secret);
    expect(new Set(codes).size).toBe(10);
    await card(page, 'Two-factor authentication').getByText('10 codes left.').waitFor();

    await logOut(page);
    await signIn(page, person);
    await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, 1));
    expect(await seriousIssues(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor();

    await logOut(page);
    await signIn(page, person);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(codes[0]?.toLowerCase() ?? '');
    await page.keyboard.press('Enter');
    await card(page, 'Two-factor authentication').getByText('9 codes left.').waitFor();
    for (const code of codes.slice(1, 8)) await logInElsewhere(world(), person, code);
    await page.reload();
    await card(page, 'Two-factor authentication').getByText('Only 2 codes left.').waitFor();
    await page.getByRole('button', { name: 'Renew' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByLabel('Code').fill(codes[0] ?? '');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('The code is wrong or was already used').waitFor();
    await dialog.getByLabel('Code').fill(codes[8] ?? '');
    await page.keyboard.press('Enter');
    await dialog.getByRole('list', { name: 'Recovery codes' }).waitFor();
    const renewed = await dialog.getByRole('listitem').allInnerTexts();
    expect(renewed).toHaveLength(10);
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(renewed.join('\n'));
    await dialog.getByLabel('I have saved them').check();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await card(page, 'Two-factor authentication').getByText('10 codes left.').waitFor();
    expect(errorsOf(page)).toEqual([]);
  });

  it('adds a passkey, logs in with it without and after the password, renames and deletes it', async () => {
    const person = await register(world(), 'passkey@example.com');
    const page = await browser.signedIn(world(), person);
    await addAuthenticator(page);
    await follow(page, '/settings/security');
    const passkeys = card(page, 'Passkeys');
    await passkeys.getByRole('button', { name: 'Add passkey' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Laptop');
    await page.keyboard.press('Enter');
    await passkeys.getByRole('table').waitFor();
    await expect
      .poll(async () => (await rowsOf(passkeys.getByRole('table')))[0]?.slice(0, 2))
      .toEqual(['Laptop', 'On one device']);
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Laptop again');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('This device already has a passkey for your account.').waitFor();
    await page.keyboard.press('Escape');

    await logOut(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor();
    await logOut(page);
    await signIn(page, person);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor();
    await follow(page, '/settings/sessions');
    const [session] = await rowsOf(page.getByRole('table', { name: 'Your sessions' }));
    expect(session?.[1]).toBe('Password and passkey');
    await follow(page, '/settings/security');

    await page.getByRole('button', { name: 'Actions for Laptop' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Old laptop');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Actions for Old laptop' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Old laptop?' });
    await dialog.getByText('It is your only second factor: you will sign in with your password only.').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await passkeys.getByText('No passkeys').waitFor();
    expect(errorsOf(page)).toEqual([]);
  });

  it('makes members without a required second factor set one up first and keep the codes', async () => {
    const person = await register(world(), 'forced@example.com');
    const page = await browser.signedIn(world(), person);
    await addAuthenticator(page);
    await settled(page);
    await world().rest('PATCH', '/org', { body: { require_two_factor: true }, as: person });
    await page.getByRole('link', { name: 'Budgets', exact: true }).click();
    const required = page.getByRole('heading', { level: 1, name: 'Set up two-factor authentication' });
    await required.waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signIn(page, person);
    await required.waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await seriousIssues(page)).toEqual([]);
    await page.getByRole('button', { name: /^Authenticator app/ }).click();
    const codes = await confirm(page, await shownSecret(page));
    await page.getByRole('heading', { level: 1, name: 'Budgets' }).waitFor();

    await follow(page, '/settings/security');
    await card(page, 'Two-factor authentication').getByRole('button', { name: 'Turn off' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('requires a second factor: you must set up another one').waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill('not the password');
    await dialog.getByLabel('Code').fill(codes[0] ?? '');
    await page.keyboard.press('Enter');
    await dialog.getByText('The password is wrong').waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Passkey/ }).click();
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor();
    await card(page, 'Two-factor authentication').getByText('You have no recovery codes.').waitFor();
    expect(errorsOf(page)).toEqual([]);
  });

  it('ends the other sessions when the password changes, and reports a wrong password at its field', async () => {
    const person = await register(world(), 'password@example.com');
    const other = await browser.signedIn(world(), person);
    const page = await browser.signedIn(world(), person);
    await follow(page, '/settings/security');
    const form = card(page, 'Password');
    await form.getByLabel('Current password').fill('not the password');
    await form.getByLabel('New password').fill('amber quiet river');
    await page.keyboard.press('Enter');
    await form.getByText('The password is wrong').waitFor();
    await expect
      .poll(() => form.getByLabel('Current password').evaluate((field) => field === document.activeElement))
      .toBe(true);
    await form.getByLabel('Current password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByText('Password changed.').waitFor();
    await other.getByRole('link', { name: 'Budgets', exact: true }).click();
    await other.getByText('Your session has ended.').waitFor();
    await signIn(other, { ...person, password: 'amber quiet river' });
    await other.getByRole('heading', { level: 1, name: 'Budgets' }).waitFor();
    expect([...errorsOf(page), ...errorsOf(other)]).toEqual([]);
  });

  it('shows an API token once, limits it to the chosen scopes, and revokes it', async () => {
    const page = await browser.signedIn(world());
    await follow(page, '/settings/tokens');
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByText('Enter a name for the token').waitFor();
    await page.getByLabel('Name').fill('Grafana');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Token for Grafana' });
    await dialog.getByRole('button', { name: 'Copy the token' }).click();
    const token = await page.evaluate(() => navigator.clipboard.readText());
    await expect
      .poll(() => dialog.getByRole('region', { name: 'the example' }).innerText())
      .toContain(`${world().url}/api/v1/costs/summary`);
    expect(await seriousIssues(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    expect(await page.content()).not.toContain(token);
    const row = (await rowsOf(page.getByRole('table', { name: 'Your API tokens' })))[0];
    expect(row?.slice(0, 3)).toEqual(['Grafana', `svc_…${token.slice(-4)}`, 'Read']);
    const status = async (method: string, path: string) =>
      (await fetch(`${world().url}/api/v1${path}`, { method, headers: { authorization: `Bearer ${token}` } })).status;
    expect(await status('GET', '/budgets')).toBe(200);
    expect(await status('DELETE', '/budgets/00000000-0000-4000-8000-000000000000')).toBe(403);
    await page.getByRole('button', { name: 'Revoke Grafana' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No API tokens').waitFor();
    expect(await status('GET', '/budgets')).toBe(401);
  });

  it('lists sessions by browser, ends one, then all others', async () => {
    const person = await register(world(), 'sessions@example.com');
    const other = await browser.signedIn(world(), person);
    const page = await browser.signedIn(world(), person);
    await follow(page, '/settings/sessions');
    const table = page.getByRole('table', { name: 'Your sessions' });
    const rows = await rowsOf(table);
    expect(rows.map(([agent]) => agent?.split('127')[0])).toEqual(['Chrome on Linux', 'Chrome on Linux', 'Node.js']);
    expect(rows.map((row) => row.at(-1))).toEqual(['This session', 'End', 'End']);
    await table.getByRole('row').nth(2).getByRole('button', { name: 'End the session of Chrome on Linux' }).click();
    await page.getByText('2 sessions').waitFor();
    await other.getByRole('link', { name: 'Budgets', exact: true }).click();
    await other.getByText('Your session has ended.').waitFor();
    await page.getByRole('button', { name: 'End all others' }).click();
    await page.getByRole('dialog').getByText('1 session of yours ends').waitFor();
    await page.getByRole('button', { name: 'End sessions' }).click();
    await page.getByText('1 session', { exact: true }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'End all others' }).count()).toBe(0);
    expect([...errorsOf(page), ...errorsOf(other)]).toEqual([]);
  });

  it('changes a name everywhere at once, keeps the chosen theme, and offers a Viewer no page for Admins', async () => {
    const viewer = await world().join('viewer');
    const page = await browser.signedIn(world(), viewer);
    await follow(page, '/settings');
    const places = page.getByRole('navigation', { name: 'Settings' }).getByRole('link');
    await expect
      .poll(() => places.allInnerTexts())
      .toEqual([
        'Profile',
        'Security',
        'API tokens',
        'Sessions',
        'Notifications',
        'General',
        'Members',
        'Exchange rates',
      ]);
    await expect.poll(() => page.getByLabel('Email').getAttribute('readonly')).toBe('');
    await expect.poll(() => card(page, 'Membership').getByText('Viewer').count()).toBe(1);
    await page.getByRole('textbox', { name: 'Name' }).fill('Vera Example');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /Vera Example.*: menu$/ }).waitFor();
    await page.getByRole('radio', { name: 'System' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.reload();
    await settled(page);
    await expect.poll(() => page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
    expect(errorsOf(page)).toEqual([]);
  });
});
