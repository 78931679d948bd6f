import { execFile } from 'node:child_process';
import { rm, copyFile, readdir, rename, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CostSource } from '../../../src/providers/contract.ts';
import { openFocusFolder } from '../../../src/providers/focus/folder.ts';
import { inWorkspace } from '../../../src/ingest/sync/bills/downloads.ts';
import { Loader } from '../../../src/ingest/sync/bills/loader.ts';
import { syncBills } from '../../../src/ingest/sync/bills/run.ts';
import { aLine, csvOf, focusColumns, type FocusStyle } from '../../support/focus.ts';
import { billsOfFile, factsOf, monthsOf, stateOf, testNow, versionOf, type Bills } from '../world.ts';

const bills = billsOfFile();
const loaderAsk = Loader.prototype.ask;

const may = (cost: string) => aLine({ day: '2026-05-03', cost });
const june = (cost: string) => aLine({ day: '2026-06-03', cost });

async function periodsOf({ pool, accountId }: Bills) {
  const { rows } = await pool.query(
    `SELECT to_char(period, 'YYYY-MM') AS month, line_items::int AS lines, data_from::text AS first, data_to::text AS last,
       loaded_at AS "loadedAt", totals FROM billing_periods WHERE account_id = $1 ORDER BY 1`,
    [accountId],
  );
  return rows;
}

async function rememberedOf({ deps, accountId }: Bills): Promise<string[]> {
  const rows = await deps.db.sourceFile.findMany({ where: { accountId }, orderBy: { key: 'asc' } });
  return rows.map((row) => row.key);
}

describe('first sync', () => {
  it('records each billing month with its days and control totals by currency', async () => {
    const account = await bills();
    await account.put('a.csv', [
      may('1.5'),
      may('2'),
      aLine({ day: '2026-05-09', cost: '7', BillingCurrency: 'eur' }),
      june('-4'),
    ]);
    const result = await account.sync();
    expect(result.lineItems).toBe(4);
    const sums = (currency: string, lineItems: number, sum: string) => {
      return { currency, lineItems, billed: sum, effective: sum, list: sum, contracted: sum };
    };
    expect(await periodsOf(account)).toEqual([
      {
        month: '2026-05',
        lines: 3,
        first: '2026-05-03',
        last: '2026-05-09',
        loadedAt: testNow,
        totals: [sums('EUR', 1, '7.000000000000'), sums('USD', 2, '3.500000000000')],
      },
      {
        month: '2026-06',
        lines: 1,
        first: '2026-06-03',
        last: '2026-06-03',
        loadedAt: testNow,
        totals: [sums('USD', 1, '-4.000000000000')],
      },
    ]);
  });

  it('records the days, complete days and main currency of the account', async () => {
    const account = await bills();
    await account.put('a.csv', [may('1'), aLine({ day: '2026-08-09', cost: '-9', BillingCurrency: 'EUR' })]);
    await account.sync();
    const row = await account.deps.db.account.findUniqueOrThrow({ where: { id: account.accountId } });
    expect(row).toMatchObject({
      version: 2,
      dataFrom: new Date('2026-05-03'),
      dataTo: new Date('2026-08-09'),
      completeThrough: new Date('2026-08-08'),
      currency: 'EUR',
    });
  });

  it('keeps a charge of another month under its bill', async () => {
    const account = await bills();
    await account.put('a.csv', [aLine({ day: '2026-06-03', ChargePeriodStart: '2026-04-20T00:00:00Z', cost: '5' })]);
    await account.sync();
    expect((await factsOf(account)).map((fact) => [fact['month'], fact['day']])).toEqual([['2026-06', '2026-04-20']]);
  });

  it('accepts a file that has only column names', async () => {
    const account = await bills();
    await account.put('a.csv', []);
    expect(await account.sync()).toMatchObject({ lineItems: 0, months: [] });
    expect(await rememberedOf(account)).toEqual(['a.csv']);
  });

  it('reports progress that never decreases or completes early', async () => {
    const account = await bills();
    await account.put('a.csv', [may('1')]);
    await account.put('b.parquet', [june('1')]);
    const progress: { phase: string; percent: number }[] = [];
    await account.sync({ onProgress: ({ phase, percent }) => progress.push({ phase, percent }) });
    const percents = progress.map(({ percent }) => percent);
    expect(progress[0]).toEqual({ phase: 'listing', percent: 0 });
    expect(progress.at(-1)?.phase).toBe('loading');
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    expect(percents.at(-1)).toBe(90);
  });
});

describe('second sync', () => {
  it('reads and changes nothing', async () => {
    const account = await bills();
    await account.put('a.csv.gz', [may('1'), june('2')]);
    await account.put('b.parquet', [june('3')]);
    await account.sync();
    const before = await stateOf(account);
    expect(await account.sync()).toEqual({ lineItems: 0, months: [] });
    expect(await stateOf(account)).toEqual(before);
  });

  it('reads a touched file again, but changes no cost, version or load time', async () => {
    const account = await bills();
    await account.put('a.csv', [may('1'), june('2')]);
    await account.sync();
    const [version, periods, facts] = [await versionOf(account), await periodsOf(account), await factsOf(account)];
    await utimes(path.join(account.folder, 'a.csv'), new Date(), new Date('2026-01-01'));
    expect(await account.sync()).toEqual({ lineItems: 2, months: [] });
    expect([await versionOf(account), await periodsOf(account), await factsOf(account)]).toEqual([
      version,
      periods,
      facts,
    ]);
    expect(await account.sync()).toEqual({ lineItems: 0, months: [] });
  });

  it('still updates names in the dictionary', async () => {
    const account = await bills();
    const named = (day: string, RegionName: string) => aLine({ day, cost: '1', RegionId: 'r-1', RegionName });
    await account.put('may.csv', [named('2026-05-03', 'Old')]);
    await account.put('june.csv', [named('2026-06-03', 'New')]);
    await account.sync();
    const name = async () => (await account.pool.query('SELECT name FROM regions WHERE code = $1', ['r-1'])).rows;
    // A fact keeps the name on its bill; the dictionary has that of the newest month.
    expect((await factsOf(account)).map((fact) => fact['region_name'])).toEqual(['Old', 'New']);
    expect(await name()).toEqual([{ name: 'New' }]);
    await account.put('may.csv', [named('2026-05-03', 'Older')]);
    await account.sync();
    expect(await name()).toEqual([{ name: 'New' }]);
    await account.put('may.csv', [named('2026-05-03', 'Old')]);
    await account.put('june.csv', [named('2026-06-03', 'Old')]);
    await account.sync();
    expect((await factsOf(account)).map((fact) => fact['region_name'])).toEqual(['Old', 'Old']);
    expect(await name()).toEqual([{ name: 'Old' }]);
  });

  it('treats the same charges in another order or format as unchanged', async () => {
    const account = await bills();
    const lines = [may('1'), aLine({ day: '2026-05-04', ResourceId: 'vm-2', Tags: '{"b":"1","a":"2"}' })];
    await account.put('a.csv', lines);
    await account.sync();
    await account.remove('a.csv');
    await account.put('b.csv.gz', lines.toReversed());
    expect((await account.sync()).months).toEqual([]);
    expect(await rememberedOf(account)).toEqual(['b.csv.gz']);
  });

  it.each([
    ['a cost', { cost: '1.000000000001' }],
    ['a day', { ChargePeriodStart: '2026-05-04T00:00:00Z' }],
    ['a tag', { Tags: '{"env":"prod"}' }],
    ['a name', { RegionName: 'Virginia' }],
    ['a quantity', { PricingQuantity: '2' }],
  ])('reloads a month when %s differs', async (_what, change) => {
    const account = await bills();
    await account.put('a.csv', [may('1'), june('1')]);
    await account.sync();
    await account.put('a.csv', [{ ...may('1'), ...aLine({ day: '2026-05-03', cost: '1', ...change }) }, june('1')]);
    expect((await account.sync()).months.map((month) => month.month)).toEqual(['2026-05']);
    expect(await versionOf(account)).toBe(3);
  });
});

describe('restated month', () => {
  it('replaces the old one completely: removed rows, moved days, missing resources', async () => {
    const account = await bills();
    const machine = (day: string, ResourceId: string, cost: string) => aLine({ day, ResourceId, cost });
    await account.put('a.csv', [machine('2026-05-01', 'one', '1'), machine('2026-05-02', 'two', '2'), june('4')]);
    await account.sync();
    await account.put('a.csv', [machine('2026-05-09', 'one', '8'), june('4')]);
    await account.sync();
    expect((await factsOf(account)).map(({ day, resource, billed }) => [day, resource, billed])).toEqual([
      ['2026-05-09', 'one', '8'],
      ['2026-06-03', 'vm-1', '4'],
    ]);
  });

  it('combines all its files when one of them changes', async () => {
    const account = await bills();
    await account.put('a.csv', [may('1'), june('10')]);
    await account.put('b.parquet', [may('100')]);
    await account.put('c.csv.gz', [june('1000')]);
    await account.sync();
    await account.put('b.parquet', [may('200')]);
    const result = await account.sync();
    expect(result.months.map((month) => month.month)).toEqual(['2026-05']);
    expect(await monthsOf(account)).toEqual({ '2026-05': '201', '2026-06': '1010' });
  });

  it('loses the charges of a removed file while another file has the month', async () => {
    const account = await bills();
    await account.put('a.csv', [may('1')]);
    await account.put('b.csv', [may('2'), june('3')]);
    await account.sync();
    await account.remove('b.csv');
    await account.sync();
    expect(await monthsOf(account)).toEqual({ '2026-05': '1', '2026-06': '3' });
    expect(await rememberedOf(account)).toEqual(['a.csv']);
    expect(await account.sync()).toMatchObject({ lineItems: 0, months: [] });
  });

  it('loses the charges of a file that now has another month', async () => {
    const account = await bills();
    await account.put('a.csv', [may('1')]);
    await account.put('b.csv', [may('2')]);
    await account.sync();
    await account.put('b.csv', [june('3')]);
    await account.sync();
    expect(await monthsOf(account)).toEqual({ '2026-05': '1', '2026-06': '3' });
    expect(await account.sync()).toEqual({ lineItems: 0, months: [] });
  });

  it('keeps its last load when all its files are gone', async () => {
    const account = await bills();
    await account.put('may.csv', [may('1')]);
    await account.put('june.csv', [june('2')]);
    await account.sync();
    await account.remove('may.csv');
    expect((await account.sync()).months).toEqual([]);
    expect(await monthsOf(account)).toEqual({ '2026-05': '1', '2026-06': '2' });
  });

  it('includes a file that is added later', async () => {
    const account = await bills();
    await account.put('a.csv', [may('1')]);
    await account.sync();
    await account.put('b.csv', [may('2')]);
    await account.sync();
    expect(await monthsOf(account)).toEqual({ '2026-05': '3' });
  });
});

describe('invalid file', () => {
  it('blocks only its own months, and is named in the error', async () => {
    const account = await bills();
    await account.put('a.csv', [may('1'), june('2')]);
    await account.put('b.csv', [{ ...june('3'), BilledCost: 'x' }]);
    await account.put('c.parquet', [june('4'), aLine({ day: '2026-07-01', cost: '5' })]);
    expect(await account.refusal()).toBe('b.csv, row 2, column BilledCost: "x" is not a decimal number');
    expect(await monthsOf(account)).toEqual({ '2026-05': '1', '2026-07': '5' });
  });

  it('does not block its months once it is fixed', async () => {
    const account = await bills();
    await account.put('a.csv', [may('1'), june('2')]);
    await account.put('b.csv', [{ ...june('3'), BilledCost: 'x' }]);
    await account.refusal();
    await account.put('b.csv', [june('3')]);
    await account.sync();
    expect(await monthsOf(account)).toEqual({ '2026-05': '1', '2026-06': '5' });
  });

  it('keeps the last good load of its months', async () => {
    const account = await bills();
    await account.put('a.csv', [may('1'), june('2')]);
    await account.sync();
    await account.put('a.csv', [may('10'), { ...june('20'), ChargeCategory: 'Gift' }]);
    await account.put('b.csv', [aLine({ day: '2026-07-01', cost: '5' })]);
    await account.refusal();
    expect(await monthsOf(account)).toEqual({ '2026-05': '1', '2026-06': '2', '2026-07': '5' });
  });

  it('blocks everything if its months are unknown', async () => {
    const account = await bills();
    await account.put('a.csv', [may('1')]);
    await account.putRaw('b.parquet', 'PAR1 no more');
    await account.put('c.parquet', [june('2')]);
    expect(await account.refusal()).toMatch(/^b\.parquet: not a Parquet file, or truncated/);
    expect(await monthsOf(account)).toEqual({});
    await account.remove('b.parquet');
    await account.sync();
    expect(await monthsOf(account)).toEqual({ '2026-05': '1', '2026-06': '2' });
  });

  it('blocks its previous months if its new content has none', async () => {
    const account = await bills();
    await account.put('b.parquet', [june('2')]);
    await account.sync();
    await account.put('a.csv', [may('1'), june('4')]);
    await account.putRaw('b.parquet', 'PAR1 no more');
    await account.refusal();
    expect(await monthsOf(account)).toEqual({ '2026-05': '1', '2026-06': '2' });
  });

  it('blocks reloading a month without a removed file', async () => {
    const account = await bills();
    await account.put('a.csv', [may('1')]);
    await account.put('b.csv', [may('2')]);
    await account.sync();
    await account.remove('b.csv');
    await account.putRaw('c.csv.gz', 'no gzip');
    await account.refusal();
    expect(await monthsOf(account)).toEqual({ '2026-05': '3' });
    await account.remove('c.csv.gz');
    await account.sync();
    expect(await monthsOf(account)).toEqual({ '2026-05': '1' });
  });

  it('is reported first of several, with the others', async () => {
    const account = await bills();
    await account.put('a.csv', [{ ...may('3'), BilledCost: '' }]);
    await account.put('b.csv', [{ ...june('3'), BilledCost: '1_000' }]);
    expect(await account.refusal()).toBe(
      'a.csv, row 2, column BilledCost: no value; expected a decimal number. Also: b.csv, row 2, column BilledCost: "1_000" is not a decimal number',
    );
  });
});

describe('duplicate file', () => {
  it.each([
    ['b.csv', 'b.csv'],
    ['b.csv.gz', 'b.csv.gz'],
  ])('is rejected as %s with both names, and blocks only the shared months', async (name) => {
    const account = await bills();
    await account.put('a.csv', [may('1'), june('2')]);
    await account.put(name, [may('1'), june('2')]);
    await account.put('c.csv', [aLine({ day: '2026-07-01', cost: '5' })]);
    const repeats = (month: string) =>
      `"a.csv" and "${name}" contain the same charges of ${month}; remove one of them (if its other months are not repeated, only its charges of ${month}), or its costs would count twice`;
    expect(await account.refusal()).toBe(`${repeats('2026-06')}. Also: ${repeats('2026-05')}`);
    expect(await monthsOf(account)).toEqual({ '2026-07': '5' });
  });

  it('is rejected when added later, and the month stays', async () => {
    const account = await bills();
    await account.put('a.parquet', [may('1')]);
    await account.sync();
    await copyFile(path.join(account.folder, 'a.parquet'), path.join(account.folder, 'b.parquet'));
    expect(await account.refusal()).toMatch(
      /^"b\.parquet" and "a\.parquet" contain|^"a\.parquet" and "b\.parquet" contain/,
    );
    expect(await monthsOf(account)).toEqual({ '2026-05': '1' });
  });

  it.each<[string, FocusStyle]>([
    ['b.csv', { quoteAll: true }],
    ['b.csv', { newline: '\r\n', bom: true }],
    ['b.csv', { delimiter: ';' }],
    ['b.csv', { columns: focusColumns['1.0'].toReversed() }],
    ['b.csv.gz', {}],
  ])('is rejected as %s with its rows in another order, written as %j', async (name, style) => {
    const account = await bills();
    const rows = [may('1'), may('2'), aLine({ day: '2026-05-04', cost: '3', Tags: '{"a":"b, c"}' })];
    await account.put('a.csv', rows);
    await account.put(name, rows.toReversed(), style);
    expect(await account.refusal()).toMatch(new RegExp(`^"a\\.csv" and "${name}" contain the same charges of 2026-05`));
  });

  it('is not confused with a file of the same charge in another hour', async () => {
    const account = await bills();
    const hour = (at: string) => aLine({ day: '2026-05-03', cost: '1', ChargePeriodStart: `2026-05-03T${at}:00:00Z` });
    await account.put('00.csv', [hour('00')]);
    await account.put('01.csv', [hour('01')]);
    await account.sync();
    expect(await monthsOf(account)).toEqual({ '2026-05': '2' });
  });

  it('is found among files with the same sums', async () => {
    const account = await bills();
    await account.put('a.csv', [may('1')]);
    await account.put('b.csv', [aLine({ day: '2026-05-03', cost: '1', ResourceId: 'other' })]);
    await account.put('c.csv', [may('1')]);
    expect(await account.refusal()).toMatch(/^"a\.csv" and "c\.csv" contain the same charges of 2026-05/);
  });

  it('is not confused with a different file with the same sums', async () => {
    const account = await bills();
    await account.put('a.csv', [may('1')]);
    await account.put('b.csv', [aLine({ day: '2026-05-03', cost: '1', ResourceId: 'other' })]);
    await account.sync();
    expect(await monthsOf(account)).toEqual({ '2026-05': '2' });
  });
});

describe('classic Azure export whose newest run is unknown', () => {
  const run = (period: string, no: number) => `exp/${period}/exp_0000000${no}-0000-4000-8000-000000000000.csv`;
  const april = (cost: string) => aLine({ day: '2026-04-03', cost });

  it('keeps the last load of its month only, until one run is left', async () => {
    const account = await bills();
    await account.put(run('20260401-20260430', 1), [april('1')]);
    await account.sync();
    await account.put(run('20260401-20260430', 2), [april('1'), april('2')]);
    await account.put(run('20260501-20260531', 3), [may('4')]);
    const [one, two] = [1, 2].map((no) => path.join(account.folder, run('20260401-20260430', no)));
    const then = new Date('2026-04-05T00:00:00Z');
    for (const file of [one, two]) await utimes(file ?? '', then, then);
    const reason = /are runs of one Azure export, and their times do not show which is newer; keep the newest run only/;
    expect(await account.refusal()).toMatch(reason);
    expect(await monthsOf(account)).toEqual({ '2026-04': '1', '2026-05': '4' });
    expect(await account.refusal()).toMatch(reason);
    await account.remove(run('20260401-20260430', 1));
    await account.sync();
    expect(await monthsOf(account)).toEqual({ '2026-04': '3', '2026-05': '4' });
  });
});

describe('file that changes while it is read', () => {
  async function syncOf(account: Awaited<ReturnType<typeof bills>>, source: CostSource): Promise<unknown> {
    const watch = { signal: new AbortController().signal, onProgress: () => {} };
    const { accountId, deps, scope } = account;
    return inWorkspace(deps.config.dataDir, accountId, (workspace) =>
      syncBills(deps, scope, { accountId, source, workspace, ...watch }),
    );
  }

  it('is named if it disappears', async () => {
    const account = await bills();
    await account.put('a.csv', [may('1')]);
    const source = await openFocusFolder(path.dirname(account.folder), account.accountId);
    const vanishing: CostSource = {
      ...source,
      async fetch(file, folder, signal) {
        const found = await source.fetch(file, folder, signal);
        // The loader learns the paths before it reads the file.
        if (isKnown) await rm(found);
        isKnown = true;
        return found;
      },
    };
    let isKnown = false;
    await expect(syncOf(account, vanishing)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: '"a.csv" does not exist under FOCUS_ROOT; check its spelling, or create it',
    });
  });

  it.each([
    ['a link to a bill outside', (from: string, at: string) => symlink(from, at)],
    ['a pipe', (_from: string, at: string) => promisify(execFile)('mkfifo', [at])],
  ])('is rejected if %s takes its place only while the loader opens it', async (_what, replace) => {
    const account = await bills();
    await account.put('a.csv', [may('1')]);
    const at = path.join(account.folder, 'a.csv');
    const aside = path.join(account.folder, '.aside');
    const outside = path.join(account.folder, '..', `${account.accountId}.csv`);
    await writeFile(outside, csvOf([may('666')]));
    onTestFinished(() => rm(outside));
    const ask = vi.spyOn(Loader.prototype, 'ask');
    onTestFinished(() => ask.mockRestore());
    ask.mockImplementation(async function (this: Loader, ...command) {
      await rename(at, aside);
      await replace(outside, at);
      try {
        return await loaderAsk.apply(this, command);
      } finally {
        await rename(aside, at);
      }
    });
    await expect(account.sync()).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'File "a.csv" changed while it was being read; sync again when the export is complete',
    });
    expect(await monthsOf(account)).toEqual({});
  });

  it('is rejected, and blocks its months', async () => {
    const account = await bills();
    await account.put('a.csv', [may('1'), june('1')]);
    await account.put('b.csv', [june('2')]);
    const source = await openFocusFolder(path.dirname(account.folder), account.accountId);
    const changing: CostSource = {
      ...source,
      async verify(file) {
        if (file.key === 'b.csv') await writeFile(path.join(account.folder, 'b.csv'), csvOf([june('3'), june('4')]));
        await source.verify?.(file);
      },
    };
    await expect(syncOf(account, changing)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'File "b.csv" changed while it was being read; sync again when the export is complete',
    });
    expect(await monthsOf(account)).toEqual({ '2026-05': '1' });
    await account.sync();
    expect(await monthsOf(account)).toEqual({ '2026-05': '1', '2026-06': '8' });
  });
});

describe('manifest with wrong months of a file', () => {
  it('is ignored: each month contains all its charges', async () => {
    const account = await bills();
    const part = (month: string) => `export/data/BILLING_PERIOD=${month}/part.csv`;
    for (const month of ['2026-05', '2026-06']) {
      const manifest = JSON.stringify({ executionId: 'one', dataFiles: [`s3://bucket/${part(month)}`] });
      await account.putRaw(`export/metadata/BILLING_PERIOD=${month}/export-Manifest.json`, manifest);
    }
    await account.put(part('2026-05'), [may('1'), june('2')]);
    await account.put(part('2026-06'), [june('4')]);
    await account.sync();
    expect(await monthsOf(account)).toEqual({ '2026-05': '1', '2026-06': '6' });
    expect(await account.sync()).toEqual({ lineItems: 0, months: [] });
  });
});

describe('cancelled sync', () => {
  it('rejects with the reason of the signal, and leaves no process and no file behind', async () => {
    const account = await bills();
    await account.put('a.csv', [may('1')]);
    const cancel = new AbortController();
    const reason = new Error('enough');
    const sync = account.sync({
      signal: cancel.signal,
      onProgress: ({ phase }) => phase !== 'listing' && cancel.abort(reason),
    });
    await expect(sync).rejects.toBe(reason);
    expect(await monthsOf(account)).toEqual({});
    expect(await readdir(path.join(account.deps.config.dataDir, 'jobs'))).not.toContain(account.accountId);
  });
});
