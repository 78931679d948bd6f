import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startFakeAws } from '../support/clouds/aws/fake.ts';
import { stsAnswers } from '../support/clouds/aws/identity.ts';
import { startAzurite } from '../support/clouds/azure/azurite.ts';
import { caPath } from '../support/clouds/azure/certificates.ts';
import { startFakeAzure } from '../support/clouds/azure/cloud.ts';
import { startFakeGoogle } from '../support/clouds/google/cloud.ts';
import { detailedFields } from '../support/clouds/google/tables.ts';
import { startS3 } from '../support/clouds/s3.ts';
import { aLine, csvOf } from '../support/focus.ts';
import { axeIssues } from './axe.ts';
import { describeInBrowser, errorsOf, follow, useBrowser } from './browser.ts';
import { accountNamed, manage, registerAdmin, spendOf, syncStands } from './connected.ts';
import { emptyWorld } from './world.ts';

// Azure, Google Cloud and the keys of AWS, each against a local fake cloud.

const [azure, blob, google, s3] = await Promise.all([startFakeAzure(), startAzurite(), startFakeGoogle(), startS3()]);
const owner = '111122223333';
const keys = { first: 'AKIAPAYEREXAMPLE0001', next: 'AKIAPAYEREXAMPLE0002', foreign: 'AKIAOTHEREXAMPLE0003' };
const aws = await startFakeAws(
  stsAnswers({ keys: { [keys.first]: owner, [keys.next]: owner, [keys.foreign]: '444455556666' } }),
);
afterAll(() => Promise.all([azure.stop(), blob.stop(), google.stop(), s3.stop(), aws.stop()]));

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const yesterday = dayBefore(1);
const monthStart = `${yesterday.slice(0, 7)}-01`;
const subscription = 'cfbbd179-59d2-4052-aa06-000000000001';
const table = 'billing-123.billing.gcp_billing_export_resource_v1_010101_F0FFF0_61C528';

/** Azure: a subscription without commitments, whose export has one line. */
async function fillAzure(): Promise<void> {
  const none = { status: 200, body: { value: [] } };
  azure.routes.set('get /providers/microsoft.capacity/reservations', () => none);
  azure.routes.set('get /providers/microsoft.billingbenefits/savingsplans', () => none);
  azure.routes.set('post /providers/microsoft.resourcegraph/resources', () => ({
    status: 200,
    body: { data: [], resultTruncated: 'false' },
  }));
  azure.routes.set('get /subscriptions', () => ({
    status: 200,
    body: { value: [{ subscriptionId: subscription, displayName: 'Shop' }] },
  }));
  const at = `acme/daily/${monthStart.replaceAll('-', '')}-${yesterday.replaceAll('-', '')}/run`;
  const container = await blob.container('focus');
  const csv = csvOf([aLine({ day: yesterday, cost: '70.25', ProviderName: 'Microsoft' })]);
  const blobName = `${at}/part_0_0001.csv`;
  await container.getBlockBlobClient(blobName).uploadData(Buffer.from(csv));
  const manifest = {
    exportConfig: { resourceId: '/subscriptions/s1/providers/Microsoft.CostManagement/exports/e', type: 'FocusCost' },
    runInfo: { submittedTime: `${yesterday}T23:00:00Z`, startDate: `${monthStart}T00:00:00`, endDate: yesterday },
    blobs: [{ blobName, byteCount: Buffer.byteLength(csv) }],
  };
  await container.getBlockBlobClient(`${at}/manifest.json`).uploadData(Buffer.from(JSON.stringify(manifest)));
}

/** Google Cloud: a detailed export with one charge. */
async function fillGoogle(): Promise<void> {
  const charge = {
    billing_account_id: '010101-F0FFF0-61C528',
    service: { description: 'Compute Engine' },
    sku: { id: 'SSD', description: 'SSD backed PD Capacity in Belgium' },
    usage_start_time: `${yesterday}T10:00:00`,
    project: { id: 'shop-prod', name: 'Shop' },
    location: { location: 'europe-west1', region: 'europe-west1' },
    export_time: `${yesterday}T12:00:00`,
    cost: 12.5,
    currency: 'USD',
    invoice: { month: yesterday.slice(0, 7).replace('-', '') },
    cost_type: 'regular',
    _PARTITIONTIME: `${yesterday}T00:00:00`,
  };
  await google.bigQuery.put({ name: table, fields: detailedFields, rows: [charge], isPartitioned: true });
}

/** AWS: an export without any delivery. */
async function fillAws(): Promise<void> {
  const file = 'acme/daily/data/BILLING_PERIOD=2026-05/daily-00001.csv.gz';
  const manifest = { executionId: 'one', dataFiles: [`s3://exports/${file}`] };
  await s3.put('exports', 'acme/daily/metadata/BILLING_PERIOD=2026-05/daily-Manifest.json', JSON.stringify(manifest));
  await s3.put('exports', file, 'no bill at all');
}

describeInBrowser('the console', () => {
  const world = emptyWorld({
    AZURE_LOGIN_ENDPOINT: azure.url,
    AZURE_MANAGEMENT_ENDPOINT: azure.url,
    AZURE_BLOB_ENDPOINT: blob.endpoint,
    GOOGLE_ENDPOINT: google.url,
    AWS_ENDPOINT: aws.url,
    S3_ENDPOINT: s3.url,
    NODE_EXTRA_CA_CERTS: caPath,
  });
  const browser = useBrowser();
  let page: Page;
  beforeAll(async () => {
    await Promise.all([registerAdmin(world()), fillAzure(), fillGoogle(), fillAws()]);
    page = await browser.signedIn(world());
  });
  const connect = () => page.getByRole('button', { name: 'Connect', exact: true }).press('Enter');
  const isOpen = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

  it('connects Azure with a service principal, and replaces its secret when it has expired', async () => {
    await follow(page, '/accounts/connect');
    await page.getByRole('link', { name: /^Azure/ }).press('Enter');
    await page.getByLabel('Subscription IDs', { exact: true }).fill(subscription);
    await page.getByLabel('Storage account', { exact: true }).fill(blob.account);
    await page.getByLabel('Container', { exact: true }).fill('focsu');
    await page.getByLabel('Prefix (optional)').fill('acme');
    const commands = page.getByRole('region', { name: /^command: / }).filter({ hasText: subscription });
    await commands.first().waitFor();
    await page.getByLabel('Directory (tenant) ID').fill(azure.tenantId);
    await page.getByLabel('Application (client) ID').fill(azure.clientId);
    const secret = page.locator('input[name="clientSecret"]');
    await secret.fill('not-the-secret');
    await connect();
    const alert = page.getByRole('alert');
    await alert.getByText(/^Client secret is wrong for application/).waitFor();
    await expect.poll(() => secret.evaluate((field) => field === document.activeElement)).toBe(true);
    await secret.fill(azure.clientSecret);
    await connect();
    await alert.getByText(/^Container "focsu" does not exist in storage account/).waitFor();
    expect(await axeIssues(page)).toEqual([]);
    await page.getByLabel('Container', { exact: true }).fill('focus');
    await connect();
    await isOpen('Azure');
    await syncStands(page, 'Succeeded');
    const account = await accountNamed(world(), 'Azure');
    expect(account?.externalId).toBe(subscription);
    expect(await spendOf(world(), account?.id ?? '')).toBe(70.25);

    azure.refuseSignIn = {
      status: 401,
      body: { error: 'invalid_client', error_description: 'AADSTS7000222: expired' },
    };
    azure.expireTokens();
    await page.getByRole('button', { name: 'Sync now' }).press('Enter');
    await syncStands(page, 'Failed');
    const failed = page.getByRole('alert').filter({ hasText: 'The last sync failed' });
    await expect.poll(() => failed.innerText()).toMatch(/expired/);
    expect(await axeIssues(page)).toEqual([]);
    await failed.getByRole('link', { name: 'Replace credentials' }).press('Enter');
    await isOpen('Replace credentials');
    await expect.poll(() => page.getByLabel('Container').count()).toBe(0);
    azure.refuseSignIn = null;
    await page.getByLabel('Directory (tenant) ID').fill(azure.tenantId);
    await page.getByLabel('Application (client) ID').fill(azure.clientId);
    await page.locator('input[name="clientSecret"]').fill(azure.clientSecret);
    await page.keyboard.press('Enter');
    await isOpen('Azure');
    await syncStands(page, 'Succeeded');
    expect(await page.content()).not.toContain(azure.clientSecret);
    expect(await spendOf(world(), account?.id ?? '')).toBe(70.25);
    expect(errorsOf(page)).toEqual([]);
  }, 120_000);

  it('connects Google Cloud with a key file, chosen or pasted, that is never shown', async () => {
    const known = google.tokens.account();
    const fileOf = (key: typeof known) =>
      JSON.stringify({
        type: 'service_account',
        client_email: key.clientEmail,
        private_key: key.privateKey,
        project_id: key.projectId,
      });
    await follow(page, '/accounts/connect/gcp');
    await page.getByLabel('Project', { exact: true }).fill('billing-123');
    await page.getByLabel('Dataset', { exact: true }).fill('billing');
    await page.getByLabel('Dataset location').fill('US');
    await page.getByLabel('JSON key file').fill('{ "type": "authorized_user" }');
    await connect();
    await page
      .getByText(/service account/i)
      .first()
      .waitFor();
    expect(await accountNamed(world(), 'Google Cloud')).toBeUndefined();
    const stranger = { ...known, clientEmail: 'nobody@billing-123.iam.gserviceaccount.com' };
    await page.getByLabel('JSON key file').fill(fileOf(stranger));
    await page.getByText(`Key of ${stranger.clientEmail}`).waitFor();
    await connect();
    await page
      .getByRole('alert')
      .getByText(`have a key of service account ${stranger.clientEmail} that Google rejects`)
      .waitFor();
    await page.getByRole('button', { name: 'Choose another' }).press('Enter');
    const buffer = Buffer.from(fileOf(known));
    await page.locator('input[type="file"]').setInputFiles({ name: 'key.json', mimeType: 'application/json', buffer });
    await page.getByText(`Key of ${known.clientEmail}`).waitFor();
    await connect();
    await page
      .getByRole('alert')
      .getByText(/^Dataset location "US" is not the location of .*, which is in EU/)
      .waitFor();
    expect(await axeIssues(page)).toEqual([]);
    await page.getByLabel('Dataset location').fill('EU');
    await connect();
    await isOpen('Google Cloud');
    await syncStands(page, 'Succeeded');
    const account = await accountNamed(world(), 'Google Cloud');
    expect(account?.externalId).toBe('010101-F0FFF0-61C528');
    expect(await spendOf(world(), account?.id ?? '')).toBe(12.5);
    expect(await page.content()).not.toContain('PRIVATE KEY');
    expect(errorsOf(page)).toEqual([]);
  }, 120_000);

  it('replaces the keys of AWS only with keys of the same account', async () => {
    const secret = 'a-secret-that-nobody-sees';
    const fill = async (keyId: string) => {
      await page.getByLabel('Access key ID').fill(keyId);
      await page.locator('input[name="secretAccessKey"]').fill(secret);
    };
    await follow(page, '/accounts/connect/aws?with=keys');
    await page.getByLabel('Bucket').fill('exports');
    await page.getByLabel('Prefix (optional)').fill('acme');
    await page.getByLabel('Export name').fill('daily');
    await fill(keys.first);
    await connect();
    await isOpen('AWS');
    await syncStands(page, 'Failed');
    const { id } = (await accountNamed(world(), 'AWS')) ?? { id: '' };
    const { credentials: before } = await world().deps.db.account.findUniqueOrThrow({ where: { id } });

    await manage(page, 'Replace credentials');
    await isOpen('Replace credentials');
    await page.getByRole('radio', { name: 'Access key' }).check();
    await expect.poll(() => page.getByLabel('Access key ID').inputValue()).toBe('');
    await fill(keys.foreign);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('444455556666').waitFor();
    expect(await axeIssues(page)).toEqual([]);
    expect((await world().deps.db.account.findUniqueOrThrow({ where: { id } })).credentials).toEqual(before);
    await fill(keys.next);
    await page.keyboard.press('Enter');
    await isOpen('AWS');
    await syncStands(page, 'Failed');
    const { credentials: after } = await world().deps.db.account.findUniqueOrThrow({ where: { id } });
    const open = JSON.parse(world().deps.secrets.decrypt(after ?? new Uint8Array(), id));
    expect(open.accessKeyId).toBe(keys.next);
    expect(await page.content()).not.toContain(secret);
    expect(errorsOf(page)).toEqual([]);
  }, 90_000);
});
