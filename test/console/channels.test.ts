import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeIssues, contrastIssues } from './axe.ts';
import { describeInBrowser, errorsOf, fillNumber, follow, rowsOf, settled, useBrowser, visit } from './browser.ts';
import { ownDemoWorld } from './world.ts';

interface Listed {
  readonly data: readonly {
    readonly id: string;
    readonly path: string;
    readonly status: string;
    readonly kind: string;
  }[];
}

/** A server for webhooks: it accepts what is posted to it, except at `/gone`. */
function useReceiver(): () => string {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(request.url === '/gone' ? 410 : 200).end('ok'));
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describeInBrowser('the console', () => {
  const world = ownDemoWorld({ ALLOW_PRIVATE_WEBHOOKS: 'true' });
  const receiver = useReceiver();
  const browser = useBrowser();
  let page: Page;
  beforeAll(async () => {
    page = await browser.signedIn(world());
  });
  const create = (body: object) => world().rest<{ id: string }>('POST', '/channels', { body });
  const sent = (query = '') => world().rest<Listed>('GET', `/notifications?per_page=100${query}`);

  describe('without channels', () => {
    it('says so in forms, links to a new channel, and keeps the switch of a missing webhook disabled', async () => {
      await follow(page, '/budgets/new');
      await page.getByText('No channels yet.').waitFor();
      expect(await page.getByRole('combobox', { name: 'Channels' }).count()).toBe(0);
      expect(await page.getByRole('switch', { name: 'Post to my webhook' }).isDisabled()).toBe(true);
      await page.getByText('You have no webhook, so nothing is posted.').waitFor();
      await page.getByRole('link', { name: 'Add a Slack or Teams channel' }).click();
      await page.getByRole('dialog', { name: 'New channel' }).waitFor();
    });

    it('names the roles that can add one to Members', async () => {
      const theirs = await browser.signedIn(world(), await world().someone('member'));
      await follow(theirs, '/settings/channels');
      await theirs.getByText(/An Admin with access to all accounts can add/).waitFor();
      expect(await theirs.getByRole('button', { name: 'New channel' }).count()).toBe(0);
    });
  });

  describe('the page of channels', () => {
    it('creates a webhook and shows its secret once', async () => {
      await follow(page, '/settings/channels?new=1');
      const dialog = page.getByRole('dialog', { name: 'New channel' });
      await dialog.getByRole('button', { name: 'Create channel' }).click();
      await dialog.getByText('Enter a name for the channel').waitFor();
      await dialog.getByLabel('Name').fill('Incidents');
      await dialog.getByRole('combobox', { name: 'Kind' }).click();
      await page.getByRole('option', { name: 'Webhook' }).click();
      await dialog.getByRole('textbox', { name: 'Webhook URL' }).fill('ftp://example.com');
      expect(await axeIssues(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Create channel' }).click();
      await dialog.getByText(/The webhook URL must be an https URL/).waitFor();
      await dialog.getByRole('textbox', { name: 'Webhook URL' }).fill(`${receiver()}/ok`);
      await dialog.getByRole('button', { name: 'Create channel' }).click();
      const shown = page.getByRole('dialog', { name: 'Signing secret of Incidents' });
      await shown.getByText(/^whsec_/).waitFor();
      expect(await contrastIssues(page)).toEqual([]);
      await shown.getByRole('button', { name: 'I have copied it' }).click();
      await shown.waitFor({ state: 'hidden' });
      await settled(page);
      expect(await page.content()).not.toContain('whsec_');
    });

    it('tests, changes and turns off a channel', async () => {
      await follow(page, '/settings/channels');
      const row = page.getByRole('row', { name: /Incidents/ });
      await row.getByRole('button', { name: 'Send a test message to Incidents' }).click();
      await page.getByText('Test message delivered to Incidents.').waitFor();
      await expect.poll(() => row.innerText()).toContain('Sent');
      await row.getByRole('button', { name: 'Edit Incidents' }).click();
      const dialog = page.getByRole('dialog', { name: 'Edit channel' });
      await dialog.getByRole('textbox', { name: 'New webhook URL' }).fill(`${receiver()}/gone`);
      await dialog.getByRole('button', { name: 'Save changes' }).click();
      await dialog.waitFor({ state: 'hidden' });
      await row.getByRole('button', { name: 'Send a test message to Incidents' }).click();
      await page.getByText('Test message not delivered to Incidents: The receiver returned 410').waitFor();
      await expect.poll(() => row.innerText()).toContain('Failed');
      await row.getByRole('switch', { name: 'Incidents is on' }).press('Space');
      await row.getByRole('switch', { name: 'Incidents is on', checked: false }).waitFor();
    });

    it('lists the records that use a channel before it is deleted', async () => {
      const { id } = await create({ name: 'Finance', kind: 'teams', url: `${receiver()}/ok` });
      const schedule = { name: 'Monday summary', type: 'cost_summary', format: 'csv', frequency: 'weekly' };
      await world().rest('POST', '/reports/schedules', { body: { ...schedule, channel_ids: [id] } });
      await visit(page, '/settings/channels');
      await page.getByRole('button', { name: 'Delete Finance' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete this channel?' });
      await dialog.getByRole('button', { name: 'Delete channel' }).click();
      await dialog.getByText(/is used by report schedule “Monday summary”/).waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await follow(page, '/reports/schedules');
      await expect
        .poll(() => page.getByRole('row', { name: /Monday summary/ }).innerText())
        .toContain('Owner, 1 channel');
    });
  });

  it('asks before Back discards a form that names a channel', async () => {
    await visit(page, '/budgets');
    await follow(page, '/budgets/new');
    await page.getByLabel('Name').click();
    await page.keyboard.type('Half written');
    const asked = page.waitForEvent('dialog');
    await page.evaluate(() => setTimeout(() => history.back()));
    const question = await asked;
    expect(question.message()).toBe('Leave without saving your changes?');
    await question.dismiss();
    expect(await page.getByLabel('Name').inputValue()).toBe('Half written');
    page.once('dialog', (leave) => void leave.accept());
    await page.getByLabel('Name').press('End');
    await page.evaluate(() => setTimeout(() => history.back()));
    await page.getByRole('heading', { level: 1, name: 'Budgets' }).waitFor();
  });

  describe('notifications', () => {
    it('are posted to the channel that a budget names, and failures are counted at the bell', async () => {
      await create({ name: 'Broken', kind: 'webhook', url: `${receiver()}/gone` });
      await visit(page, '/budgets/new');
      await page.getByLabel('Name').fill('Small budget');
      await fillNumber(page.getByLabel('Amount per month'), '10');
      await page.getByRole('combobox', { name: 'Channels' }).click();
      await page.getByRole('option', { name: 'Broken' }).click();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Create budget' }).click();
      await page.getByText('Broken', { exact: true }).waitFor();
      await expect
        .poll(async () => (await sent('&channel=webhook')).data[0]?.status, { timeout: 20_000 })
        .toBe('failed');
      await visit(page, '/settings');
      const bell = page.getByRole('button', { name: 'Sent notifications: 1 failure' });
      await bell.click();
      const newest = page.getByRole('dialog', { name: 'Sent notifications' });
      await newest.getByText(/Broken \(Webhook\)/).waitFor();
      expect(await axeIssues(page)).toEqual([]);
      await newest.getByRole('link', { name: 'All notifications' }).click();
      await page.getByRole('heading', { name: 'Sent notifications', level: 1 }).waitFor();
      await page.reload();
      await settled(page);
      expect(await page.getByRole('button', { name: 'Sent notifications', exact: true }).count()).toBe(1);
    });

    it('are filtered by the URL', async () => {
      await follow(page, '/notifications?status=FAILED&channel=WEBHOOK');
      const rows = await rowsOf(page.getByRole('table', { name: 'Sent notifications' }));
      expect(rows.map(([message]) => message)).toEqual([
        expect.stringMatching(/^Small budget has reached .*Budget alertThe receiver returned 410 \(ok\)$/),
      ]);
      expect(await axeIssues(page)).toEqual([]);
    });

    it('lead to pages that exist, as the links of invitations and new passwords do', { timeout: 120_000 }, async () => {
      const rule = { name: 'Any cost', metric: 'daily_cost', operator: 'gt', threshold: 0.01 };
      await world().rest('POST', '/alert-rules', { body: rule });
      const { id } = await world().rest<{ id: string }>('POST', '/reports', {
        body: { type: 'inventory', format: 'csv' },
      });
      await expect
        .poll(async () => (await sent('&kind=alert_rule')).data.length, { timeout: 30_000 })
        .toBeGreaterThan(0);
      const paths = new Set((await sent()).data.map((each) => each.path));
      expect([...paths].some((path) => path.startsWith('/alert-rules/'))).toBe(true);
      for (const path of [...paths, `/reports/${id}`, '/reports/schedules', '/']) {
        await follow(page, path);
        expect(await page.getByText(/No page exists|was not found|does not exist|Nothing found/).count(), path).toBe(0);
      }
      await world().rest('POST', '/org/invite', { body: { emails: ['kim@example.com'], role: 'viewer' } });
      await world().rest('POST', '/auth/forgot-password', { body: { email: world().admin.email } });
      const stranger = await (await browser.window()).newPage();
      for (const [email, title] of [
        ['kim@example.com', /invited/],
        [world().admin.email, /password/i],
      ] as const) {
        const [link = ''] = /http:\/\/\S+\?token=\S+/.exec(await world().mailTo(email)) ?? [];
        await stranger.goto(new URL(`${new URL(link).pathname}${new URL(link).search}`, world().url).href);
        await expect.poll(() => stranger.getByRole('heading', { level: 1 }).innerText()).toMatch(title);
      }
    });
  });

  describe('a server that sends no emails', () => {
    it('shows a note to Admins only, who can hide it', async () => {
      await follow(page, '/');
      await page.getByText('Email is not configured', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Hide this note' }).click();
      await follow(page, '/notifications');
      expect(await page.getByText('Email is not configured', { exact: true }).count()).toBe(0);
      const theirs = await browser.signedIn(world(), await world().someone('viewer'));
      await follow(theirs, '/notifications');
      expect(await theirs.getByText('Email is not configured', { exact: true }).count()).toBe(0);
    });

    it('shows the links of invitations, once', async () => {
      await follow(page, '/settings/invitations?invite=1');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('combobox', { name: 'Email addresses' }).fill('lou@example.com');
      await dialog.getByRole('button', { name: 'Invite' }).click();
      await dialog.getByText(/\/invite\?token=/).waitFor();
      expect(await axeIssues(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await page.getByRole('button', { name: 'Resend invitation to lou@example.com' }).click();
      await page
        .getByRole('dialog', { name: 'Invitation link' })
        .getByText(/\/invite\?token=/)
        .waitFor();
      await page.keyboard.press('Escape');
    });
  });

  it('logs no errors', () => {
    expect(errorsOf(page)).toEqual([]);
  });
});
