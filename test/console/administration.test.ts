import fs from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { axeIssues } from './axe.ts';
import { amount, describeInBrowser, errorsOf, follow, rowsOf, settled, signIn, useBrowser } from './browser.ts';
import { ownDemoWorld, registerAt, type ConsoleWorld, type Person } from './world.ts';

interface Member {
  readonly id: string;
  readonly role: string;
  readonly accountAccess: readonly string[] | null;
  readonly lockedUntil: string | null;
  readonly user: { readonly email: string };
}

async function memberOf(world: ConsoleWorld, { email }: Pick<Person, 'email'>): Promise<Member | undefined> {
  const query = '{ members(perPage: 100) { data { id role accountAccess lockedUntil user { email } } } }';
  const { members } = await world.gql<{ members: { data: readonly Member[] } }>(query);
  return members.data.find(({ user }) => user.email === email);
}

async function accountId(world: ConsoleWorld, name: string): Promise<string> {
  const { accounts } = await world.gql<{ accounts: { data: readonly { id: string; name: string }[] } }>(
    '{ accounts { data { id name } } }',
  );
  return accounts.data.find((account) => account.name === name)?.id ?? '';
}

/** Chooses an action on a member by keyboard. */
async function manage(page: Page, name: string, act: string): Promise<void> {
  await page.getByRole('button', { name: `Manage ${name}` }).press('Enter');
  await page.getByRole('menuitem', { name: act, exact: true }).press('Enter');
}

describeInBrowser('administration', () => {
  const world = ownDemoWorld();
  const browser = useBrowser();
  let page: Page;
  beforeAll(async () => {
    page = await browser.signedIn(world());
  });

  describe('the organization page', () => {
    const read = async () =>
      (
        await world().gql<{
          organization: { name: string; requireTwoFactor: boolean; fiscalYearStartMonth: number; ownerTagKey: string };
        }>('{ organization { name requireTwoFactor fiscalYearStartMonth ownerTagKey } }')
      ).organization;

    it('renames the organization, sets its fiscal year and owner tag, and shows whom a required second factor would block', async () => {
      await follow(page, '/settings/organization');
      await page.getByRole('textbox', { name: 'Name' }).fill('Brightwater & Sons');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: /Brightwater & Sons/ }).waitFor();
      await page.getByRole('combobox', { name: 'Fiscal year start' }).click();
      await page.getByRole('option', { name: 'April' }).click();
      await page.getByRole('combobox', { name: 'Owner tag' }).fill('team');
      await page.getByRole('option', { name: 'team', exact: true }).click();
      await page.getByRole('region', { name: 'General' }).getByRole('button', { name: 'Save' }).click();
      await expect.poll(read).toEqual({
        name: 'Brightwater & Sons',
        requireTwoFactor: false,
        fiscalYearStartMonth: 4,
        ownerTagKey: 'team',
      });
      await world().join('viewer');
      // Until the page has read the saved settings, leaving it asks for confirmation.
      await settled(page);
      await page.reload();
      await settled(page);
      await page.getByRole('switch', { name: 'Require two-factor authentication for all members' }).press('Space');
      const dialog = page.getByRole('dialog', { name: 'Require two-factor authentication' });
      await dialog.getByText('You have no second factor yet: you will be asked to set one up immediately.').waitFor();
      await dialog.getByText(/^1 other member has no second factor/).waitFor();
      expect(await axeIssues(page)).toEqual([]);
      await page.keyboard.press('Escape');
      expect((await read()).requireTwoFactor).toBe(false);
    });

    it('switches to another organization in every tab, transfers it and deletes it with the password', async () => {
      const owner = { email: 'boss@example.com', password: 'plum kite orbit' };
      const token = await registerAt(world().url, {
        ...owner,
        name: 'Bea Example',
        organization_name: 'Second Street',
      });
      const ada = await world().join('admin');
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
      const body = JSON.stringify({ emails: [ada.email], role: 'viewer' });
      await fetch(`${world().url}/api/v1/org/invite`, { method: 'POST', headers, body });
      await expect.poll(() => world().mailTo(ada.email), { timeout: 10_000 }).toContain('Second Street');
      const mail = await world().mailTo(ada.email);
      const inviteToken = decodeURIComponent(/[?&]token=([\w.%-]+)/.exec(mail)?.[1] ?? '');
      await world().rest('POST', '/org/invites/accept', { body: { invite_token: inviteToken }, as: ada });

      const theirs = await browser.signedIn(world(), ada);
      const other = await theirs.context().newPage();
      await other.goto(`${world().url}/accounts`);
      await other.getByRole('table', { name: 'Accounts' }).waitFor();
      await theirs.getByRole('button', { name: /: menu$/ }).press('Enter');
      expect(await axeIssues(theirs)).toEqual([]);
      await theirs.getByRole('menuitem', { name: /Second Street/ }).press('Enter');
      for (const tab of [theirs, other])
        await tab
          .getByRole('button', { name: /: menu$/ })
          .filter({ hasText: 'Second Street' })
          .waitFor();
      await follow(theirs, '/accounts');
      await theirs.getByText('No account connected').waitFor();

      const boss = await browser.signedIn(world(), owner);
      await follow(boss, '/settings/organization');
      await boss.getByRole('button', { name: 'Transfer ownership' }).press('Enter');
      const transfer = boss.getByRole('dialog', { name: 'Transfer ownership' });
      await transfer.getByRole('combobox', { name: 'New Super Admin' }).press('ArrowDown');
      await boss.getByRole('option', { name: new RegExp(ada.email) }).click();
      await transfer.getByLabel('Password', { exact: true }).fill('not the password');
      await boss.keyboard.press('Enter');
      await transfer.getByText('The password is wrong').waitFor();
      await transfer.getByLabel('Password', { exact: true }).fill(owner.password);
      await boss.keyboard.press('Enter');
      await boss.getByRole('heading', { name: 'Ownership', exact: true }).waitFor({ state: 'detached' });

      await theirs.reload();
      await follow(theirs, '/settings/organization');
      await theirs.getByRole('button', { name: 'Delete organization' }).press('Enter');
      const remove = theirs.getByRole('dialog', { name: 'Delete organization' });
      // The dialog moves the focus to the password once it is open.
      await expect.poll(() => remove.locator('input:focus').getAttribute('type')).toBe('password');
      await remove.getByLabel('Type Second Street to confirm').fill('Second Street');
      await remove.getByLabel('Password', { exact: true }).fill(ada.password);
      await theirs.keyboard.press('Enter');
      await expect
        .poll(() => theirs.locator('body').innerText(), { timeout: 30_000 })
        .toContain('Second Street is deleted.');
      await signIn(theirs, ada);
      await theirs.getByRole('button', { name: /Brightwater & Sons/ }).waitFor();
    }, 60_000);
  });

  describe('the members page', () => {
    it('invites several people at once, shows a result for each address, resends and revokes links', async () => {
      await follow(page, '/settings/members');
      await page.getByRole('link', { name: 'Invite' }).press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Invite people' });
      await dialog.getByRole('combobox', { name: 'Email addresses' }).fill('kim@example.com nonsense');
      await dialog.getByRole('button', { name: 'Invite' }).press('Enter');
      await dialog.getByText('nonsense is not a valid email address').waitFor();
      expect(await axeIssues(page)).toEqual([]);
      await dialog
        .getByRole('combobox', { name: 'Email addresses' })
        .fill(`kim@example.com, lee@example.com; ${world().admin.email}`);
      await dialog.getByRole('radio', { name: 'Viewer' }).check();
      await dialog.getByRole('radio', { name: 'Chosen accounts' }).check();
      await dialog.getByRole('button', { name: 'Invite' }).press('Enter');
      await dialog.getByText('Choose at least one account').waitFor();
      await dialog.getByRole('combobox', { name: 'Accounts' }).press('ArrowDown');
      await page.getByRole('option', { name: 'Azure' }).click();
      await dialog.getByRole('button', { name: 'Invite' }).press('Enter');
      const table = page.getByRole('table', { name: 'Result for each address' });
      await table.waitFor();
      await expect
        .poll(async () => (await rowsOf(table)).map((row) => row.slice(0, 2)))
        .toEqual([
          ['kim@example.com', 'Invited'],
          ['lee@example.com', 'Invited'],
          [world().admin.email, 'Already a member'],
        ]);
      await page.getByRole('button', { name: 'Close', exact: true }).last().press('Enter');

      const first = await world().mailTo('kim@example.com');
      await page.getByRole('button', { name: 'Resend invitation to kim@example.com' }).press('Enter');
      // The server sends no emails.
      const link = page.getByRole('dialog', { name: 'Invitation link' });
      await link.getByRole('button', { name: 'Close' }).last().press('Enter');
      await link.waitFor({ state: 'hidden' });
      await expect.poll(() => world().mailTo('kim@example.com'), { timeout: 15_000 }).not.toBe(first);
      await page.getByRole('button', { name: 'Revoke invitation to lee@example.com' }).press('Enter');
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await follow(page, '/settings/invitations?status=PENDING');
      const rows = await rowsOf(page.getByRole('table', { name: 'Invitations' }));
      expect(rows.map(([email, role, status]) => [email?.split(' ')[0], role, status])).toEqual([
        ['kim@example.comInvited', 'ViewerAzure', 'Pending'],
      ]);
    }, 60_000);

    it('unlocks a member, changes their role and accounts and removes them, but not the Super Admin', async () => {
      const azure = await accountId(world(), 'Azure');
      const person = await world().join('member');
      const { id = '' } = (await memberOf(world(), person)) ?? {};
      for (let tries = 0; tries < 5; tries += 1)
        await world()
          .rest('POST', '/auth/login', { body: { ...person, password: 'wrong' } })
          .catch(() => null);
      await follow(page, `/settings/members?search=${person.email}`);
      const name = 'Member';
      await page.getByText(/^Locked until/).waitFor();
      await manage(page, name, 'Unlock sign-in');
      await page.getByRole('dialog').getByRole('button', { name: 'Unlock' }).press('Enter');
      await page.getByText(/^Locked until/).waitFor({ state: 'detached' });
      expect((await memberOf(world(), person))?.lockedUntil).toBeNull();

      await manage(page, name, 'Change role');
      await page.getByRole('radio', { name: 'Admin' }).check();
      await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).press('Enter');
      await page.getByRole('cell', { name: 'Admin', exact: true }).waitFor();
      await manage(page, name, 'Account access');
      await page.getByRole('radio', { name: 'Chosen accounts' }).check();
      await page.getByRole('combobox', { name: 'Accounts' }).press('ArrowDown');
      await page.getByRole('option', { name: 'Azure' }).click();
      expect(await axeIssues(page)).toEqual([]);
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).press('Enter');
      await page.getByRole('cell', { name: 'Azure', exact: true }).waitFor();
      expect(await memberOf(world(), person)).toMatchObject({ id, role: 'ADMIN', accountAccess: [azure] });

      await manage(page, name, 'Remove');
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter');
      await page.getByText('Nothing matches the filters').waitFor();
      expect(await memberOf(world(), person)).toBeUndefined();
      await follow(page, '/settings/members?role=SUPER_ADMIN');
      const rows = await rowsOf(page.getByRole('table', { name: 'Members' }));
      expect(rows.map(([, role, , , , acts]) => [role, acts])).toEqual([['Super admin', '']]);
      expect(await page.getByRole('button', { name: /^Manage/ }).count()).toBe(0);
    }, 60_000);

    it('offers an inviting Admin only the accounts in their scope', async () => {
      const azure = await accountId(world(), 'Azure');
      const admin = await world().join('admin');
      const theirs = await browser.signedIn(world(), admin);
      const { id } = (await memberOf(world(), admin)) ?? {};
      await world().rest('PATCH', `/org/members/${id}`, { body: { account_access: [azure] } });
      await follow(theirs, '/settings/invitations?invite=1');
      const dialog = theirs.getByRole('dialog', { name: 'Invite people' });
      await expect.poll(() => dialog.getByRole('radio', { name: 'Chosen accounts' }).isChecked()).toBe(true);
      expect(await dialog.getByRole('radio', { name: 'All accounts' }).count()).toBe(0);
      await dialog.getByRole('combobox', { name: 'Accounts' }).press('ArrowDown');
      await expect.poll(() => theirs.getByRole('option').allInnerTexts()).toEqual(['Azure']);
      expect(errorsOf(theirs)).toEqual([]);
    });
  });

  it('reports missing exchange rates with the costs they leave out, and adds them', async () => {
    interface Costs {
      readonly costsSummary: { readonly unconverted: readonly { readonly currency: string; readonly cost: number }[] };
      readonly exchangeRates: { readonly rates: readonly { readonly month: string; readonly rate: number }[] };
    }
    const ask = () =>
      world()
        .gql<Costs>(`{ costsSummary(startDate: "${new Date(Date.now() - 1000 * 86_400_000).toISOString().slice(0, 10)}",
        endDate: "${new Date().toISOString().slice(0, 10)}") { unconverted { currency cost } }
        exchangeRates { rates { month rate } } }`);
    const before = (await ask()).exchangeRates.rates;
    await follow(page, '/settings/exchange-rates');
    const table = page.getByRole('table', { name: 'Exchange rates' });
    await expect
      .poll(async () => (await rowsOf(table)).map((row) => Number(row[3])))
      .toEqual(before.map(({ rate }) => rate));
    // The rates of later months do not apply to earlier ones.
    for (const removed of [1, 2]) {
      await page
        .getByRole('button', { name: /^Remove EUR to USD for/ })
        .last()
        .press('Enter');
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter');
      await expect.poll(async () => (await rowsOf(table)).length).toBe(before.length - removed);
    }
    const note = page.getByRole('alert').filter({ hasText: 'Some costs are not converted' });
    await note.waitFor();
    const [left] = (await ask()).costsSummary.unconverted;
    await expect
      .poll(async () => amount(/€[\d,.]+/.exec(await note.innerText())?.[0] ?? ''))
      .toBeCloseTo(left?.cost ?? 0, 2);
    expect(await axeIssues(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add rates for EUR' }).press('Enter');
    const fields = page.getByRole('textbox', { name: /^Rate for/ });
    await fields.last().fill(String(before.at(-2)?.rate));
    await fields.nth(10).fill(String(before.at(-1)?.rate));
    await page.keyboard.press('Enter');
    await note.waitFor({ state: 'detached' });
    expect((await ask()).exchangeRates.rates).toEqual(before);
  }, 60_000);

  it('filters the audit log by action, shows its details, and saves it as CSV', async () => {
    await follow(page, '/settings/audit?action=SETTINGS_CHANGED');
    const { auditLogs } = await world().gql<{
      auditLogs: { pagination: { total: number }; data: readonly { details: object }[] };
    }>('{ auditLogs(action: [SETTINGS_CHANGED]) { pagination { total } data { details } } }');
    const table = page.getByRole('table', { name: 'Audit log' });
    await expect.poll(() => rowsOf(table)).toHaveLength(auditLogs.pagination.total);
    await table.getByRole('button').last().press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Settings changed' });
    const json = await dialog.getByRole('region', { name: 'details as JSON' }).innerText();
    expect(JSON.parse(json)).toEqual(auditLogs.data.at(-1)?.details);
    await dialog.getByText('Brightwater Outfitters → Brightwater & Sons').waitFor();
    expect(await axeIssues(page)).toEqual([]);
    await page.keyboard.press('Escape');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).press('Enter'),
    ]);
    expect(download.suggestedFilename()).toBe('audit-log.csv');
    const lines = fs
      .readFileSync(await download.path(), 'utf8')
      .trim()
      .split(/\r?\n/);
    expect(lines).toHaveLength(auditLogs.pagination.total + 1);
  });

  describe('the notifications page', () => {
    interface Preferences {
      readonly email: { readonly budgetAlerts: boolean };
      readonly additionalEmails: readonly string[];
      readonly slackConfigured: boolean;
    }
    const read = async () =>
      (
        await world().gql<{ notificationPreferences: Preferences }>(
          '{ notificationPreferences { email { budgetAlerts } additionalEmails slackConfigured } }',
        )
      ).notificationPreferences;

    it('sets notifications by kind, copies them to others, and posts them to a webhook that is never shown', async () => {
      await follow(page, '/settings/notifications');
      await page.getByRole('switch', { name: 'Budget alerts by email' }).press('Space');
      await page.getByRole('switch', { name: 'Budget alerts by email', checked: false }).waitFor();
      await page.getByRole('combobox', { name: 'Additional email addresses' }).fill('ops@example.com fin@example.com');
      await page.getByRole('button', { name: 'Save' }).press('Enter');
      await expect.poll(read).toEqual({
        email: { budgetAlerts: false },
        additionalEmails: ['ops@example.com', 'fin@example.com'],
        slackConfigured: false,
      });
      const field = page.getByRole('textbox', { name: 'Webhook URL' });
      await expect.poll(() => field.getAttribute('type')).toBe('password');
      await field.fill('http://127.0.0.1:9/hook');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText(/https/).waitFor();
      await field.fill('https://no-such-host.invalid/services/hush-hush');
      await page.keyboard.press('Enter');
      await page.getByText('Webhook set').waitFor();
      await page.getByRole('button', { name: 'Send a test message' }).press('Enter');
      await page
        .getByRole('status')
        .getByText(/^Not delivered: ./)
        .waitFor();
      expect(await page.content()).not.toContain('hush-hush');
      expect(await axeIssues(page)).toEqual([]);
      await page.getByRole('button', { name: 'Remove' }).press('Enter');
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter');
      await page.getByText('No webhook').waitFor();
      expect((await read()).slackConfigured).toBe(false);
      expect(errorsOf(page)).toEqual([]);
    }, 60_000);

    it('shows notifications to a Viewer read-only', async () => {
      const theirs = await browser.signedIn(world(), await world().join('viewer'));
      await follow(theirs, '/settings/notifications');
      await expect
        .poll(() => rowsOf(theirs.getByRole('table', { name: 'Notifications by channel' })))
        .toContainEqual([expect.stringMatching(/^Anomalies/), 'Off', 'Off']);
      expect(await theirs.getByRole('switch').count()).toBe(0);
      await follow(theirs, '/settings/organization');
      expect(await theirs.getByRole('main').getByRole('textbox').count()).toBe(0);
      expect(await theirs.getByText('Ownership').count()).toBe(0);
      expect(errorsOf(theirs)).toEqual([]);
    });
  });
});
