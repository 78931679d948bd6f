import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { evaluateAccount } from '../../src/analysis/evaluation/run.ts';
import { ingest, summaryOf } from '../../src/ingest-cli.ts';
import { placeOf } from '../../src/ingest/cli/options.ts';
import type { Environment } from '../../src/kit/config/config.ts';
import { shareCodeCache } from '../support/code-cache.ts';
import { freshDatabase } from '../support/database.ts';

let folder = '';
const said: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'costkeep-cli-'));
  said.length = 0;
  for (const method of ['log', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((text) => void said.push(String(text)));
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

describe('ingest options', () => {
  it.each([
    [[], /^PATH is required\n\nUsage: npm run ingest/],
    [['a', 'b'], /^Unexpected argument "b"/],
    [['a', '--colour'], /^Unknown option '--colour'/],
    [['a', '--email', ' '], /^--email is blank/],
  ])('are rejected: %j', async (args, message) => {
    expect(await ingest(args, {}, evaluateAccount)).toBe(2);
    expect(said.join('\n')).toMatch(message);
  });

  it('are explained without reading the configuration', async () => {
    expect(await ingest(['--help'], { PORT: 'wrong' }, evaluateAccount)).toBe(0);
    expect(said.join('\n')).toMatch(/^Usage: npm run ingest -- PATH/);
  });
});

describe('placeOf', () => {
  it('returns a path relative to FOCUS_ROOT, or to the file system root outside of it', async () => {
    await mkdir(path.join(folder, 'root/bills'), { recursive: true });
    const [root, bills] = [path.join(folder, 'root'), path.join(folder, 'root/bills')];
    expect(await placeOf(bills, root)).toEqual({ focusRoot: root, path: 'bills', isUnderFocusRoot: true });
    expect(await placeOf(root, root)).toEqual({ focusRoot: root, path: '.', isUnderFocusRoot: true });
    expect(await placeOf(bills, null)).toEqual({ focusRoot: '/', path: bills.slice(1), isUnderFocusRoot: false });
    await expect(placeOf(path.join(folder, 'gone'), null)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

it('summarizes a load by month and currency', () => {
  const total = {
    currency: 'USD',
    lineItems: 1200,
    billed: '-1234567.899',
    effective: '0.5',
    list: '0',
    contracted: '0',
  };
  const months = [
    { month: '2026-06', lineItems: 1200, totals: [total] },
    { month: '2026-05', lineItems: 1, totals: [{ ...total, lineItems: 1, currency: 'EUR' }] },
  ] as const;
  expect(summaryOf({ lineItems: 1201, months: [...months] }).split('\n')).toEqual([
    'month    line items          billed  effective',
    '2026-05           1  -1,234,567.899       0.50  EUR',
    '2026-06       1,200  -1,234,567.899       0.50  USD',
  ]);
  expect(summaryOf({ lineItems: 0, months: [] })).toBe('Nothing has changed since the last load.');
  expect(summaryOf({ lineItems: 0, months: [], hasStatements: true })).toBe(
    'No costs have changed; invoices, billing periods or commitments were read.',
  );
});

const header =
  'BilledCost,BillingAccountId,BillingCurrency,BillingPeriodEnd,BillingPeriodStart,ChargeCategory,ChargePeriodEnd,' +
  'ChargePeriodStart,ContractedCost,EffectiveCost,ListCost,ProviderName,ServiceCategory,ServiceName';
const row = (cost: string): string =>
  `${cost},1,USD,2026-06-01T00:00:00Z,2026-05-01T00:00:00Z,Usage,2026-05-03T00:00:00Z,2026-05-02T00:00:00Z,${cost},${cost},${cost},AWS,Compute,Amazon EC2`;

describe('ingest command', () => {
  async function world(): Promise<{
    env: Environment;
    dataDir: string;
    db: Awaited<ReturnType<typeof freshDatabase>>['prisma'];
    file: string;
  }> {
    const { prisma: db, connection } = await freshDatabase();
    const { host, port, user, password, database } = connection;
    const query = new URLSearchParams({ host: String(host), port: String(port), user: String(user) });
    if (typeof password === 'string') query.set('password', password);
    const DATABASE_URL = `postgresql:///${database}?${query.toString()}`;
    const dataDir = path.join(folder, 'data');
    shareCodeCache(dataDir);
    const env = { DATA_DIR: dataDir, DATABASE_URL, LOG_LEVEL: 'silent' };
    const file = path.join(folder, 'may.csv');
    await writeFile(file, `${header}\n${row('1.25')}\n`);
    return { env, dataDir, db, file };
  }

  it('creates an organization and a user on an empty server, loads, and loads nothing twice', async () => {
    const { env, dataDir, db, file } = await world();
    expect(await ingest([file], env, evaluateAccount), said.join('\n')).toBe(0);
    expect(said.join('\n')).toMatch(/Sign in as admin@costkeep\.example with the password \S{20} /);
    expect(said.join('\n')).toMatch(/2026-05 +1 +1\.25 +1\.25 +USD/);
    const accounts = await db.account.findMany({ include: { sync: true, organization: true } });
    expect(accounts).toMatchObject([
      { name: 'may.csv', provider: 'focus', sync: { status: 'succeeded' }, organization: { name: 'Default' } },
    ]);
    // The server's workers do not load it again, but check budgets and alert rules.
    const jobs = await db.$queryRaw`SELECT task_identifier AS task FROM graphile_worker.jobs ORDER BY 1`;
    expect(jobs).toEqual([{ task: 'check_alert_rules' }, { task: 'check_budgets' }]);
    said.length = 0;
    expect(await ingest([file], env, evaluateAccount)).toBe(0);
    expect(said[0]).toMatch(/^Nothing has changed/);
    expect(await db.account.count()).toBe(1);
    expect(await readdir(path.join(dataDir, 'jobs'))).toEqual([]);
  });

  it('exits with 1 and the reason for an invalid bill, and keeps the previous load', async () => {
    const { env, db, file } = await world();
    await ingest([file], env, evaluateAccount);
    await writeFile(file, `${header}\n${row('twelve')}\n`);
    expect(await ingest([file], env, evaluateAccount)).toBe(1);
    expect(said.at(-1)).toMatch(/^Not loaded: .*may\.csv.*BilledCost/);
    expect(await db.accountSync.findFirst()).toMatchObject({
      status: 'failed',
      lastError: expect.objectContaining({ reason: [expect.stringMatching(/BilledCost/)] }),
    });
    expect(await db.billingPeriod.count()).toBe(1);
  });

  it('requires the organization when there are several', async () => {
    const { env, db, file } = await world();
    for (const name of ['Plum', 'Pear']) await db.organization.create({ data: { name, trustExternalId: name } });
    expect(await ingest([file], env, evaluateAccount)).toBe(1);
    expect(said.at(-1)).toMatch(
      /There are several organizations\. Choose one by its id:\n {2}\S+ {2}Plum\n {2}\S+ {2}Pear$/,
    );
    expect(await ingest([file, '--organization', 'Fig'], env, evaluateAccount)).toBe(1);
    expect(said.at(-1)).toMatch(/--organization "Fig" matches no organization/);
  });
});
