import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aLine, csvOf, runDuck } from '../../support/focus.ts';
import { zipOf } from '../../support/zip.ts';
import { billsOfFile, monthsOf, type Bills } from '../world.ts';

const bills = billsOfFile();

const may = (cost: string) => aLine({ day: '2026-05-03', cost });
const june = (cost: string) => aLine({ day: '2026-06-03', cost });

/** The warnings that readers of the account see. */
async function warningsOf({ deps, accountId }: Bills): Promise<string[]> {
  const sync = await deps.db.accountSync.findUnique({ where: { accountId } });
  return sync?.warnings ?? [];
}

/** Connects as a user does: with a row for the state of the sync. */
async function connected(): Promise<Bills> {
  const account = await bills();
  const { id: organizationId } = await account.deps.db.organization.findFirstOrThrow({
    where: { accounts: { some: { id: account.accountId } } },
  });
  await account.deps.db.accountSync.create({ data: { accountId: account.accountId, organizationId } });
  return account;
}

const unread = (what: string, because: string) => `${what} not read (${because})`;
const endings = 'names of bill files end with .csv, .tsv or .txt (also with .gz or .zst), .parquet or .zip';

/** Names of the files on disk when a month is replaced: unpacked or downloaded, and rewritten. */
async function filesAtReplacing({ deps, accountId, sync }: Bills): Promise<{ unpacked: number; rewritten: number }> {
  const folder = path.join(deps.config.dataDir, 'jobs', accountId);
  const found = { unpacked: 0, rewritten: 0 };
  await sync({
    onReplaced() {
      found.unpacked = readdirSync(path.join(folder, 'downloads')).length;
      found.rewritten = readdirSync(folder).filter((name) => name.startsWith('lines-')).length;
    },
  });
  return found;
}

describe('files on the disk of the server', () => {
  it('are deleted as soon as it is known that they are not bills, or cannot be read', async () => {
    const account = await connected();
    await account.putRaw('bill.zip', await zipOf({ 'bill.csv': csvOf([may('1')]) }));
    await account.putRaw('owners.zip', await zipOf({ 'owners.csv': 'service,owner\n' }));
    await runDuck(`COPY (SELECT 'READY' AS status) TO '${account.folder}/status.parquet' (FORMAT parquet)`);
    await account.putRaw('tables.zip', await zipOf({ 'a.parquet': readFileSync(`${account.folder}/status.parquet`) }));
    // At most the bill itself.
    expect((await filesAtReplacing(account)).unpacked).toBeLessThan(2);
  });

  it('are deleted once their months are exported if they were rewritten', async () => {
    const account = await connected();
    const [head, ...lines] = csvOf([may('1'), may('2')]).split('\n');
    await account.putRaw('bill.csv', `${head}\r\n${lines.join('\n')}`);
    expect(await filesAtReplacing(account)).toEqual({ unpacked: 0, rewritten: 0 });
    expect(await monthsOf(account)).toEqual({ '2026-05': '3' });
  });
});

describe('a file that is not a bill', () => {
  it('is named in a warning by its name, except companions of bills', async () => {
    const account = await connected();
    await account.put('a.csv', [may('1')]);
    for (const name of ['b.xlsx', 'c.pdf', 'd.docx', 'e.json', 'f.orc', 'g.avro', 'h.html'])
      await account.putRaw(name, 'x');
    for (const name of ['_SUCCESS', 'manifest.json', 'a.csv.md5', 'README.txt', 'create-table.sql', '.hidden'])
      await account.putRaw(name, '{}');
    await account.sync();
    expect(await warningsOf(account)).toEqual([
      `${unread('1 file was', 'spreadsheet; export CSV or Parquet instead')}: b.xlsx`,
      `${unread('6 files were', endings)}: c.pdf, d.docx, e.json, f.orc, g.avro and 1 more`,
    ]);
  });

  it('is named if it lies beside a bill in an archive, in each sync', async () => {
    const account = await connected();
    const files = { 'b.csv': csvOf([may('1')]), 'june.xlsx': 'x', 'c.pdf': 'x', 'manifest.json': '{}', '.hidden': 'x' };
    await account.putRaw('a.zip', await zipOf(files));
    for (let round = 0; round < 2; round++) {
      await account.sync();
      expect(await monthsOf(account)).toEqual({ '2026-05': '1' });
      expect((await warningsOf(account)).toSorted()).toEqual([
        `${unread('1 file was', endings)}: a.zip/c.pdf`,
        `${unread('1 file was', 'spreadsheet; export CSV or Parquet instead')}: a.zip/june.xlsx`,
      ]);
    }
  });

  it('blocks no month, is read once, and stays in the warnings', async () => {
    const account = await connected();
    await runDuck(`COPY (SELECT 'READY' AS status) TO '${account.folder}/status.parquet' (FORMAT parquet)`);
    await account.putRaw('owners.csv', 'service,owner\nEC2,plum\n');
    await account.putRaw('notes.txt', 'Bills of May\n');
    await account.putRaw('utf16.txt', Buffer.from('notes', 'utf16le'));
    await account.putRaw('book.csv', await zipOf({ 'xl/workbook.xml': '<x/>' }));
    await account.putRaw('more.zip', await zipOf({ 'a.pdf': 'x' }));
    await account.putRaw('both.zip', await zipOf({ 'bill.csv': csvOf([june('2')]), 'owners.csv': 'service,owner\n' }));
    await account.put('a.csv', [may('1')]);
    const warnings = [
      `${unread('1 file was', 'Excel workbook; export CSV or Parquet instead')}: book.csv`,
      `${unread('1 file was', 'archive without CSV or Parquet files')}: more.zip`,
      `${unread('1 file was', 'text without a row of column names')}: utf16.txt`,
      `${unread('4 files were', 'no columns of costs and times')}: both.zip/owners.csv, notes.txt, owners.csv, status.parquet`,
    ];
    const result = await account.sync();
    expect(await monthsOf(account)).toEqual({ '2026-05': '1', '2026-06': '2' });
    expect(result.lineItems).toBe(2);
    expect((await warningsOf(account)).toSorted()).toEqual(warnings);
    expect(await account.sync()).toMatchObject({ lineItems: 0, months: [] });
    expect((await warningsOf(account)).toSorted()).toEqual(warnings);
    await account.remove('notes.txt');
    await account.put('owners.csv', [may('4')]);
    await account.sync();
    expect(await monthsOf(account)).toEqual({ '2026-05': '5', '2026-06': '2' });
    expect(await warningsOf(account)).toContain(
      `${unread('2 files were', 'no columns of costs and times')}: both.zip/owners.csv, status.parquet`,
    );
  });

  it('blocks its months if it was a bill before', async () => {
    const account = await connected();
    await account.put('a.csv', [may('1')]);
    await account.sync();
    await account.putRaw('a.csv', 'service,owner\n');
    expect(await account.refusal()).toBe('a.csv is not a bill: no columns of costs and times');
    expect(await monthsOf(account)).toEqual({ '2026-05': '1' });
  });

  it.each([
    [
      'Google Cloud',
      'billing_account_id,service.description,usage_start_time,cost,currency,invoice.month\n',
      /^a\.csv: is Google Cloud's standard billing export; connect its BigQuery dataset/,
    ],
    [
      'Google Cloud',
      'Billing account ID,Project name,Service description,SKU description,Usage start date,Cost ($)\n',
      /^a\.csv: is a cost table of the Google Cloud console/,
    ],
    [
      'Oracle Cloud',
      'lineItem/referenceNo,lineItem/tenantId,lineItem/intervalUsageStart,product/service,cost/myCost\n',
      /^a\.csv: is Oracle Cloud's own cost report; deliver its FOCUS reports instead/,
    ],
    [
      'Azure in German',
      'Abonnement-ID,Ressourcengruppe,Datum,Verbrauchseinheitskategorie,Menge,Kosten,Währung\n',
      /^a\.csv: has Azure columns in another language; set the language of the Azure portal to English/,
    ],
    [
      'Azure in French',
      'Groupe de ressources,Date,Catégorie du compteur,Coût,Devise\n',
      /^a\.csv: has Azure columns in another language/,
    ],
    ['an unknown vendor', 'Date,Product,Amount\n', /^a\.csv: columns "BilledCost", .* missing/],
  ])('blocks the months if it may be a bill: %s', async (_vendor, header, message) => {
    const account = await connected();
    await account.put('good.csv', [may('1')]);
    await account.putRaw('a.csv', header);
    expect(await account.refusal()).toMatch(message);
    expect(await monthsOf(account)).toEqual({});
  });
});

describe('a sync that loads nothing', () => {
  it('fails if no file is a bill, again and again', async () => {
    const account = await connected();
    await account.putRaw('a.csv', 'service,owner\n');
    await account.putRaw('b.csv', 'service,owner\n1,2\n');
    const message = 'Nothing was loaded: a.csv is not a bill: no columns of costs and times. Also not a bill: b.csv';
    expect(await account.refusal()).toBe(message);
    expect(await account.refusal()).toBe(message);
    expect(await warningsOf(account)).toEqual([
      `${unread('2 files were', 'no columns of costs and times')}: a.csv, b.csv`,
    ]);
    await account.put('b.csv', [may('1')]);
    await account.sync();
    expect(await monthsOf(account)).toEqual({ '2026-05': '1' });
  });

  it('names the existing files if none has the name of a bill', async () => {
    const account = await connected();
    await account.putRaw('a.xlsx', 'x');
    expect(await account.refusal()).toMatch(
      / contains no bills: .*\. 1 file was not read \(spreadsheet; .*\): a\.xlsx$/,
    );
  });

  it('has no warning of files without charges if their charges are rejected', async () => {
    const account = await connected();
    await account.put('a.csv', [may('1')]);
    await account.put('b.csv', [may('1')]);
    expect(await account.refusal()).toMatch(/contain the same charges of 2026-05/);
    expect(await warningsOf(account)).toEqual([]);
  });

  it('has a warning if the files have no charges', async () => {
    const account = await connected();
    await account.put('a.csv', []);
    expect(await account.sync()).toEqual({
      lineItems: 0,
      months: [],
      warnings: ['Nothing is loaded: the source has 1 bill file without charges'],
    });
  });
});

describe('a month that its delivery no longer contains', () => {
  it('is deleted if its file is emptied, or its rows move to another month', async () => {
    const account = await connected();
    await account.put('a.csv', [may('1')]);
    await account.put('b.csv', [june('2')]);
    await account.sync();
    await account.put('a.csv', []);
    expect((await account.sync()).months).toEqual([{ month: '2026-05', lineItems: 0, totals: [] }]);
    expect(await monthsOf(account)).toEqual({ '2026-06': '2' });
    await account.put('b.csv', [aLine({ day: '2026-07-01', cost: '2' })]);
    await account.sync();
    expect(await monthsOf(account)).toEqual({ '2026-07': '2' });
    const row = await account.deps.db.account.findUniqueOrThrow({ where: { id: account.accountId } });
    expect([row.dataFrom, row.dataTo]).toEqual([new Date('2026-07-01'), new Date('2026-07-01')]);
    await account.put('b.csv', []);
    await account.sync();
    expect(await monthsOf(account)).toEqual({});
    expect(await warningsOf(account)).toEqual(['Nothing is loaded: the source has 2 bill files without charges']);
  });

  it('stays if its file is removed, with a warning until it is delivered again', async () => {
    const account = await connected();
    await account.put('a.csv', [may('1')]);
    await account.put('b.csv', [june('2')]);
    await account.sync();
    await account.remove('a.csv');
    const warning = 'The source no longer has files of 2026-05: the last load is kept';
    for (let round = 0; round < 2; round++) {
      await account.sync();
      expect(await monthsOf(account)).toEqual({ '2026-05': '1', '2026-06': '2' });
      expect(await warningsOf(account)).toEqual([warning]);
    }
    await account.put('c.csv', [may('3')]);
    await account.sync();
    expect(await monthsOf(account)).toEqual({ '2026-05': '3', '2026-06': '2' });
    expect(await warningsOf(account)).toEqual([]);
  });

  it('is named in a warning if it is missing between others, unless charges are rare', async () => {
    const account = await connected();
    const july = aLine({ day: '2026-07-03', cost: '3' });
    await account.put('a.csv', [may('1')]);
    await account.put('c.csv', [july]);
    await account.sync();
    expect(await warningsOf(account)).toEqual([
      'No charges in 2026-06, between months with charges: if this month is missing, export or upload the bill files',
    ]);
    await account.put('b.csv', [june('2')]);
    await account.sync();
    expect(await warningsOf(account)).toEqual([]);
    await account.put('d.csv', [aLine({ day: '2026-10-03', cost: '3' })]);
    await account.sync();
    expect(await warningsOf(account)).toEqual([
      'No charges in 2 months from 2026-08 to 2026-09, between months with charges: if they are missing, export or upload the bill files',
    ]);
    await account.put('e.csv', [aLine({ day: '2027-05-03', cost: '3' })]);
    await account.sync();
    expect(await warningsOf(account)).toEqual([]);
  });

  it('stays if one of its files is removed and the other emptied, or another file is unreadable', async () => {
    const account = await connected();
    await account.put('a.csv', [may('1')]);
    await account.put('b.csv', [may('2'), june('1')]);
    await account.sync();
    await account.remove('a.csv');
    await account.put('b.csv', [june('1')]);
    await account.sync();
    expect(await monthsOf(account)).toEqual({ '2026-05': '3', '2026-06': '1' });
    await account.put('b.csv', []);
    await account.putRaw('c.csv', 'Date,Cost\n');
    expect(await account.refusal()).toMatch(/^c\.csv: columns/);
    expect(await monthsOf(account)).toEqual({ '2026-05': '3', '2026-06': '1' });
    await account.remove('c.csv');
    await account.sync();
    expect(await monthsOf(account)).toEqual({ '2026-05': '3' });
  });

  it('stays if its plain file is removed beside an export whose manifest is empty', async () => {
    const account = await connected();
    await account.put('oracle.csv', [may('1')]);
    await account.putRaw('acme/daily/metadata/BILLING_PERIOD=2026-05/daily-Manifest.json', '{"dataFiles":[]}');
    await account.sync();
    await account.remove('oracle.csv');
    await account.sync();
    expect(await monthsOf(account)).toEqual({ '2026-05': '1' });
  });

  it('is not reported as gone if its file is there, and another of its months is rejected', async () => {
    const account = await connected();
    await account.put('a.csv', [may('1')]);
    await account.put('b.csv', [may('1'), june('2')]);
    for (let round = 0; round < 2; round++) {
      expect(await account.refusal()).toBe(
        '"a.csv" and "b.csv" contain the same charges of 2026-05; remove one of them (if its other months are not repeated, only its charges of 2026-05), or its costs would count twice',
      );
      expect(await monthsOf(account)).toEqual({ '2026-06': '2' });
      expect(await warningsOf(account)).toEqual([]);
    }
  });

  it('is deleted if the newest manifest names no files of it', async () => {
    const account = await connected();
    const manifest = (dataFiles: string[]) => JSON.stringify({ dataFiles });
    await account.putRaw(
      'x/metadata/billing_period=2026-05/x-Manifest.json',
      manifest(['data/billing_period=2026-05/a.csv']),
    );
    await account.put('x/data/billing_period=2026-05/a.csv', [may('1')]);
    await account.put('other.csv', [june('2')]);
    await account.sync();
    expect(await monthsOf(account)).toEqual({ '2026-05': '1', '2026-06': '2' });
    await account.putRaw('x/metadata/billing_period=2026-05/x-Manifest.json', manifest([]));
    await account.sync();
    expect(await monthsOf(account)).toEqual({ '2026-06': '2' });
  });
});

it('loads a legacy Cost and Usage Report that is delivered in ZIP, with its manifest', async () => {
  const account = await connected();
  const period = 'report/20260501-20260601';
  const [first, second] = ['0a', '1b'].map((id) => `${period}/${id}5c7c2e-1111-4222-8333-944445555666`);
  const manifest = (folder = '') =>
    JSON.stringify({
      assemblyId: folder.slice(period.length + 1),
      billingPeriod: { start: '20260501T000000.000Z', end: '20260601T000000.000Z' },
      compression: 'ZIP',
      reportKeys: [`prefix/${folder}/report-1.csv.zip`],
    });
  for (const [folder, cost] of [
    [first, '1'],
    [second, '2'],
  ] as const) {
    await account.putRaw(`${folder}/report-Manifest.json`, manifest(folder));
    await account.put(`${folder}/report-1.csv.zip`, [may(cost)]);
  }
  await account.putRaw(`${period}/report-Manifest.json`, manifest(first));
  await account.sync();
  expect(await monthsOf(account)).toEqual({ '2026-05': '1' });
  await account.putRaw(`${period}/report-Manifest.json`, manifest(second));
  await account.sync();
  expect(await monthsOf(account)).toEqual({ '2026-05': '2' });
  expect(await warningsOf(account)).toEqual([]);
});
