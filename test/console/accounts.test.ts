import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startFakeAws } from '../support/clouds/aws/fake.ts';
import { stsAnswers } from '../support/clouds/aws/identity.ts';
import { startS3 } from '../support/clouds/s3.ts';
import { aLine, writeFocus } from '../support/focus.ts';
import { axeIssues } from './axe.ts';
import { amount, describeInBrowser, errorsOf, follow, rowsOf, settled, useBrowser } from './browser.ts';
import { accountNamed, manage, registerAdmin, spendOf, syncStands } from './connected.ts';
import { emptyWorld } from './world.ts';

const s3 = await startS3();
const keyId = 'AKIAPAYEREXAMPLE0001';
const secret = 'a-secret-that-nobody-sees';
const aws = await startFakeAws(stsAnswers({ keys: { [keyId]: '111122223333' } }));
afterAll(() => Promise.all([s3.stop(), aws.stop()]));

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

describeInBrowser('the console', () => {
  const world = emptyWorld({ AWS_ENDPOINT: aws.url, S3_ENDPOINT: s3.url });
  const browser = useBrowser();
  let page: Page;
  beforeAll(async () => {
    const { focusRoot } = world();
    await registerAdmin(world());
    const lines = [2, 3, 4].map((days) => aLine({ day: daysAgo(days), cost: '41.25' }));
    await writeFocus(path.join(focusRoot, 'oracle/a.csv'), lines);
    await writeFocus(path.join(focusRoot, 'moved/a.csv'), [...lines, aLine({ day: daysAgo(5), cost: '100' })]);
    await s3.put('exports', 'other.txt', 'x');
    const file = 'acme/daily/data/BILLING_PERIOD=2026-05/daily-00001.csv.gz';
    const manifest = { executionId: 'one', dataFiles: [`s3://exports/${file}`] };
    await s3.put('exports', 'acme/daily/metadata/BILLING_PERIOD=2026-05/daily-Manifest.json', JSON.stringify(manifest));
    await s3.put('exports', file, 'no bill at all');
    page = await browser.signedIn(world());
  });

  it('connects an account with a guided form that first checks the source and reports errors', async () => {
    await follow(page, '/accounts');
    await page.getByRole('main').getByRole('link', { name: 'Connect an account' }).first().press('Enter');
    await page.getByRole('link', { name: /^FOCUS files/ }).press('Enter');
    await page.getByRole('button', { name: 'Connect', exact: true }).press('Enter');
    for (const fault of ['Path is missing', 'Name is missing'])
      await expect.poll(() => page.getByText(fault, { exact: true }).count()).toBe(1);
    await expect.poll(() => page.getByLabel('Path').evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.type('nowhere');
    await page.getByLabel('Name', { exact: true }).fill('Oracle');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('"nowhere" does not exist under FOCUS_ROOT').waitFor();
    expect(await axeIssues(page)).toEqual([]);
    await page.getByLabel('Path').fill('oracle');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Oracle' }).waitFor();
    await syncStands(page, 'Succeeded');
    await settled(page);
    const { id } = (await accountNamed(world(), 'Oracle')) ?? { id: '' };
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/accounts/${id}`);
    const figure = page.getByText('Last 30 days').locator('xpath=../..');
    await expect
      .poll(async () => amount(/\$[\d,.]+/.exec(await figure.innerText())?.[0] ?? ''))
      .toBe(await spendOf(world(), id));
    expect(await spendOf(world(), id)).toBe(123.75);
    await expect.poll(() => page.getByRole('link', { name: 'Inventory' }).last().getAttribute('href')).toContain(id);
  }, 90_000);

  it('connects a source once, and links to the account that uses it', async () => {
    const { id } = (await accountNamed(world(), 'Oracle')) ?? { id: '' };
    await follow(page, '/accounts/connect/focus');
    await page.getByLabel('Path').fill('oracle');
    await page.getByLabel('Name', { exact: true }).fill('Again');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Go to the connected account' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Oracle' }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/accounts/${id}`);
    expect(await accountNamed(world(), 'Again')).toBeUndefined();
  });

  it('renames, moves, disconnects and reconnects an account by keyboard', async () => {
    await manage(page, 'Rename');
    expect(await axeIssues(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Oracle bills');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Oracle bills' }).waitFor();
    const account = await accountNamed(world(), 'Oracle bills');
    const id = account?.id ?? '';

    await manage(page, 'Change settings');
    await expect.poll(() => page.getByLabel('Path').inputValue()).toBe('oracle');
    await page.getByLabel('Path').fill('moved');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Oracle bills' }).waitFor();
    await syncStands(page, 'Succeeded');
    await expect.poll(() => spendOf(world(), id), { timeout: 20_000 }).toBe(223.75);
    expect((await accountNamed(world(), 'Oracle bills'))?.settings.path).toBe('moved');

    await manage(page, 'Disconnect');
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).press('Enter');
    await page.getByText('This account is disconnected').waitFor();
    expect(await spendOf(world(), id)).toBe(223.75);
    await follow(page, '/accounts');
    await expect.poll(() => page.getByRole('link', { name: /Oracle bills/ }).count()).toBe(0);
    await follow(page, '/accounts?status=DISCONNECTED');
    await page.getByRole('link', { name: /Oracle bills/ }).press('Enter');
    await page.getByRole('link', { name: 'Reconnect' }).press('Enter');
    await page.getByRole('button', { name: 'Reconnect' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Oracle bills' }).waitFor();
    await syncStands(page, 'Succeeded');
    expect((await accountNamed(world(), 'Oracle bills'))?.status).toBe('CONNECTED');
  }, 90_000);

  it('deletes an account with its data only after its name is typed', async () => {
    const { id } = (await accountNamed(world(), 'Oracle bills')) ?? { id: '' };
    await follow(page, `/accounts/${id}`);
    await manage(page, 'Disconnect and delete data');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Type Oracle bills to confirm').fill('Oracle');
    await page.keyboard.press('Enter');
    await dialog.getByText('This is not the name of the account').waitFor();
    expect(await axeIssues(page)).toEqual([]);
    expect((await accountNamed(world(), 'Oracle bills'))?.status).toBe('CONNECTED');
    await dialog.getByLabel('Type Oracle bills to confirm').fill('Oracle bills');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    expect(await accountNamed(world(), 'Oracle bills')).toBeUndefined();
    expect(await spendOf(world(), id)).toBe(0);
  });

  it('fills the guide for AWS with the names typed so far, and keeps them while one is incomplete', async () => {
    // A server without an AWS identity offers the access key, and says what a role needs.
    await follow(page, '/accounts/connect/aws');
    await expect.poll(() => new URL(page.url()).searchParams.get('with')).toBe('keys');
    const aRole = page.getByRole('radio', { name: 'Role', exact: true });
    expect(await aRole.isDisabled()).toBe(true);
    await page.getByText('The server has no AWS identity to assume roles with.').waitFor();
    // It then explains how to create the key, instead of a role.
    await page.getByRole('region', { name: 'command: Create the access key' }).waitFor();
    expect(await page.getByText('create-role').count()).toBe(0);
    await follow(page, '/accounts/connect/aws?with=role');
    await page.getByLabel('Bucket').fill('acme-billing');
    await page.getByLabel('Export name').fill('daily');
    await page.getByLabel('AWS account ID (optional)').fill('123456789012');
    const command = page.getByRole('region', { name: 'command: Check whether the export has been delivered' });
    await command.getByText('s3://acme-billing/daily/metadata/').waitFor();
    await expect.poll(() => page.getByLabel('Role ARN').inputValue()).toBe('arn:aws:iam::123456789012:role/costkeep');
    const { accountSetup } = await world().gql<{ accountSetup: { trustExternalId: string; policy: object } }>(
      '{ accountSetup(provider: AWS, bucket: "acme-billing", exportName: "daily") { trustExternalId policy } }',
    );
    await expect.poll(() => page.getByText(accountSetup.trustExternalId, { exact: true }).count()).toBe(1);
    await page.getByRole('button', { name: 'Policy', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Copy policy' }).press('Enter');
    await expect
      .poll(async () => JSON.parse(await page.evaluate(() => navigator.clipboard.readText())))
      .toEqual(accountSetup.policy);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Terraform configuration' }).press('Enter');
    await page.getByRole('button', { name: 'Download costkeep-role.tf' }).press('Enter');
    expect(await readFile(await (await download).path(), 'utf8')).toContain('resource "aws_iam_role" "costkeep"');
    await page.getByLabel('Bucket').fill('Acme');
    await page.getByText('Bucket "Acme" must be the name of a bucket: 3 to 63 lowercase letters').waitFor();
    await expect.poll(() => command.innerText()).toContain('s3://acme-billing/daily/metadata/');
    expect(await axeIssues(page)).toEqual([]);
  });

  it('connects with keys that are never shown, reports why a sync failed, and cancels a hanging one', async () => {
    await follow(page, '/accounts/connect/aws?with=keys');
    await page.getByLabel('Bucket').fill('exports');
    await page.getByLabel('Prefix (optional)').fill('acme');
    await page.getByLabel('Export name').fill('hourly');
    await page.getByLabel('Access key ID').fill(keyId);
    const field = page.locator('input[name="secretAccessKey"]');
    await field.fill(secret);
    await expect.poll(() => field.getAttribute('type')).toBe('password');
    await page.getByRole('button', { name: 'Connect', exact: true }).press('Enter');
    await page.getByRole('alert').getByText('s3://exports/acme/ contains "daily"').waitFor();
    await page.getByLabel('Export name').fill('daily');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'AWS' }).waitFor();
    await syncStands(page, 'Failed');
    const account = await accountNamed(world(), 'AWS');
    const note = page.getByRole('alert').filter({ hasText: 'The last sync failed' });
    await expect.poll(() => note.innerText()).toContain(account?.lastSyncError ?? 'an error');
    await expect.poll(() => note.innerText()).toMatch(/sync again/);
    await page.getByText('No bill has been loaded yet.').waitFor();
    expect(await page.content()).not.toContain(secret);

    s3.proxy.fail(/./, { kind: 'hang' });
    await page.getByRole('button', { name: 'Sync now' }).press('Enter');
    await syncStands(page, 'Running');
    await expect.poll(() => page.getByRole('progressbar', { name: 'Sync of AWS' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Cancel sync' }).press('Enter');
    await syncStands(page, 'Cancelled');
    s3.proxy.heal();
    expect((await accountNamed(world(), 'AWS'))?.syncStatus).toBe('CANCELLED');
    expect(errorsOf(page)).toEqual([]);
  }, 90_000);

  it('shows accounts to a Viewer without actions', async () => {
    const { id } = (await accountNamed(world(), 'AWS')) ?? { id: '' };
    const theirs = await browser.signedIn(world(), await world().join('viewer'));
    await follow(theirs, '/accounts');
    const [row] = await rowsOf(theirs.getByRole('table', { name: 'Accounts' }));
    expect(row?.slice(0, 3)).toEqual([
      expect.stringMatching(/^AWS .*111122223333$/),
      'AWS',
      expect.stringContaining('Cancelled'),
    ]);
    expect(await theirs.getByRole('link', { name: 'Connect an account' }).count()).toBe(0);
    await follow(theirs, `/accounts/${id}?edit=credentials`);
    await theirs.getByRole('heading', { level: 1, name: 'AWS' }).waitFor();
    for (const name of ['Manage', 'Sync now', 'Replace'])
      expect(await theirs.getByRole('button', { name }).count()).toBe(0);
    expect(errorsOf(theirs)).toEqual([]);
  });
});
