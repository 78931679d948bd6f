import { generateSync } from 'otplib';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { addAuthenticator } from './authenticator.ts';
import { axeIssues } from './axe.ts';
import { describeInBrowser, errorsOf, follow, rowsOf, settled, signIn, useBrowser } from './browser.ts';
import { newOrganization, registerAt, type ConsoleWorld, type Person } from './world.ts';

const password = 'plum kite orbit';

/** Registers a user with a new organization. */
async function register(world: ConsoleWorld, email: string): Promise<Person> {
  await registerAt(world.url, { email, password, name: 'Bea Example', organization_name: `The house of ${email}` });
  return { email, password };
}

/** Returns the secret that the page shows for manual entry. */
async function shownSecret(page: Page): Promise<string> {
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  return (await page.locator('code').first().innerText()).replaceAll(/\s/g, '');
}

/** Confirms the app with a code, reads the recovery codes, and continues. */
async function confirm(page: Page, secret: string): Promise<string[]> {
  await page.getByLabel('Code from the app').fill(generateSync({ secret }));
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
    await page.getByRole('button', { name: 'Use a passkey' }).waitFor();
    expect(await axeIssues(page)).toEqual([]);
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
    await dialog
      .getByText('only second factor: you will sign in with your password only, and your recovery codes will stop')
      .waitFor();
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
    expect(await axeIssues(page)).toEqual([]);
    await page.getByRole('button', { name: /^Authenticator app/ }).click();
    const secret = await shownSecret(page);
    expect(await axeIssues(page)).toEqual([]);
    const codes = await confirm(page, secret);
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

  it('restores an open form after the role or a required second factor closed it', async () => {
    const person = await world().join('admin');
    const { data } = await world().rest<{ data: { id: string }[] }>('GET', `/org/members?search=${person.email}`);
    const page = await browser.signedIn(world(), person);
    await follow(page, '/budgets/new');
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('Plum budget');
    const restored = page.getByText('Your unsaved changes were restored.');
    const become = async (role: string, title: string) => {
      await world().rest('PATCH', `/org/members/${data[0]?.id}`, { body: { role } });
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
    };
    await become('viewer', 'Not available for your role');
    await become('admin', 'New budget');
    await restored.waitFor();
    expect(await name.inputValue()).toBe('Plum budget');
    await world().rest('PATCH', '/org', { body: { require_two_factor: true }, as: person });
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.getByRole('button', { name: /^Authenticator app/ }).click();
    await confirm(page, await shownSecret(page));
    await restored.waitFor();
    expect(await name.inputValue()).toBe('Plum budget');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    expect(await name.inputValue()).toBe('');
    expect(errorsOf(page)).toEqual([]);
  });
});
