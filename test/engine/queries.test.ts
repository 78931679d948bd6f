import { beforeAll, describe, expect, it } from 'vitest';
import { factColumns, idOf, idSql } from '../../src/engine/codebook.ts';
import type { FactSet } from '../../src/engine/fact-set.ts';
import { tagKeysSql } from '../../src/engine/sql.ts';
import { writeFacts } from '../support/facts.ts';
import { engineWorld } from './world.ts';

type World = Awaited<ReturnType<typeof engineWorld>>;

let world: World;
let organizationId: string;
let facts: FactSet;

const ask = <Row extends object>(sql: string, more = {}) => world.ask<Row>(facts, sql, more);

beforeAll(async () => {
  world = await engineWorld();
  const { id, accountIds } = await world.organization(1);
  const [account = ''] = accountIds;
  organizationId = id;
  await world.write(id, account, '2026-02', [
    { ChargePeriodStart: '2026-02-03', ServiceName: 'EC2', EffectiveCost: '1', Tags: '{"team":"a"}' },
    { ChargePeriodStart: '2026-02-28', ServiceName: 'EC2', EffectiveCost: '-0.5', Tags: '{"team":"a"}' },
    { ChargePeriodStart: '2026-02-28', ServiceName: 'S3', EffectiveCost: '7', ConsumedQuantity: '3' },
  ]);
  // More decimals than in the files of the previous month.
  await world.write(id, account, '2026-03', [
    { ChargePeriodStart: '2026-02-27', ServiceName: 'EC2', EffectiveCost: '0.250000000001', ChargeClass: 'Correction' },
    { ChargePeriodStart: '2026-03-01', ServiceName: 'EC2', EffectiveCost: '10' },
    { ChargePeriodStart: '2026-03-31', ServiceName: 'EC2', EffectiveCost: '20' },
  ]);
  facts = await world.set(id);
});

describe('query', () => {
  it('returns exact sums as text', async () => {
    const sql = 'SELECT ServiceName AS service, sum(EffectiveCost) AS cost FROM facts GROUP BY ALL ORDER BY ALL';
    expect(await ask(sql)).toEqual([
      { service: 'EC2', cost: '30.750000000001' },
      { service: 'S3', cost: '7.000000000000' },
    ]);
  });

  it('returns each type as documented', async () => {
    const sql = `SELECT 1::INTEGER AS i, 1.5::DOUBLE AS d, 9007199254740993::BIGINT AS b, sum(x_LineItems) AS h,
      true AS t, NULL AS n, DATE '2026-02-03' AS day, min(ChargePeriodStart) AS at, ['a', NULL] AS l, 1.10::DECIMAL(4, 2) AS e,
      'é' AS text, '6ccd780c-baba-1026-9564-5b8c656024db'::UUID AS u FROM facts`;
    expect(await ask(sql)).toEqual([
      {
        i: 1,
        d: 1.5,
        b: '9007199254740993',
        h: '6',
        t: true,
        n: null,
        day: '2026-02-03',
        at: '2026-02-03 00:00:00',
        l: ['a', null],
        e: '1.10',
        text: 'é',
        u: '6ccd780c-baba-1026-9564-5b8c656024db',
      },
    ]);
  });

  it('accepts texts, numbers, booleans, null and lists of texts as parameters', async () => {
    const hostile = `x'; DROP TABLE facts; --`;
    const parameters = {
      text: hostile,
      whole: 3,
      part: 0.5,
      yes: true,
      none: null,
      list: ['EC2', `o'clock`],
      empty: [],
    };
    const sql = `SELECT $text AS text, $whole AS whole, $part AS part, $yes AS yes, $none IS NULL AS none, len($list) AS n,
      count(*) AS found FROM facts WHERE list_contains($list, ServiceName) AND NOT list_contains($empty, ServiceName)`;
    expect(await ask(sql, { parameters })).toEqual([
      { text: hostile, whole: '3', part: 0.5, yes: true, none: true, n: '2', found: '5' },
    ]);
  });

  it('accepts a table as one JSON text', async () => {
    const parameters = { names: JSON.stringify([{ service: 'EC2', label: 'Virtual machines' }]) };
    const sql = `WITH names AS (SELECT unnest(from_json($names, '[{"service": "VARCHAR", "label": "VARCHAR"}]'), recursive := true))
      SELECT label, count(*) AS n FROM facts JOIN names ON service = ServiceName GROUP BY ALL`;
    expect(await ask(sql, { parameters })).toEqual([{ label: 'Virtual machines', n: '5' }]);
  });

  it('may begin with WITH, also recursive or after a comment', async () => {
    const count = [{ n: '6' }];
    expect(await ask('with a as (select 1 from facts) select count(*) AS n from a')).toEqual(count);
    expect(await ask('/* name */ -- why\n WITH a AS (FROM facts) SELECT count(*) AS n FROM a')).toEqual(count);
    const recursive = `WITH RECURSIVE up(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM up WHERE i < 6)
      SELECT count(*) AS n FROM up`;
    expect(await ask(recursive)).toEqual(count);
  });

  it('keeps the requested order', async () => {
    const rows = await ask<{ i: number }>('SELECT i::INTEGER AS i FROM range(50000) t(i) ORDER BY i DESC');
    expect(rows.map(({ i }) => i)).toEqual(Array.from({ length: 50_000 }, (_, index) => 49_999 - index));
  });

  it('hashes ids as in PostgreSQL rows', async () => {
    const [row] = await ask(`SELECT ${idSql(`'aws'`, `'EC2'`, `'Compute'`)} AS id, ${idSql(`'Größe'`)} AS one`);
    expect(row).toEqual({ id: idOf('aws', 'EC2', 'Compute'), one: idOf('Größe') });
  });

  it('returns no rows, but all columns, without files', async () => {
    const empty = await world.set(organizationId, { start: '2030-01-01' });
    const columns = 'SELECT column_name AS name, column_type AS type FROM (DESCRIBE FROM facts)';
    expect(empty.parts).toEqual([]);
    expect(await world.ask(empty, 'SELECT * FROM facts')).toEqual([]);
    const expected = factColumns.map(({ name, type }) => ({ name, type }));
    expect(await world.ask(empty, columns)).toEqual(expected);
    expect(await ask(columns)).toEqual(expected);
  });

  it('reads files from before a column was added, beside newer ones', async () => {
    const { id, accountIds } = await world.organization(1);
    const [account = ''] = accountIds;
    const charge = { ServiceName: 'EC2', EffectiveCost: '1' };
    const old = { organizationId: id, accountId: account, month: '2026-01', version: 1 } as const;
    await writeFacts(world.deps, { ...old, rows: [{ ...charge, ChargePeriodStart: '2026-01-31' }] });
    const second = { ...old, month: '2026-03', version: 2 } as const;
    const priced = { HostProviderName: 'OCI', PricingCurrencyEffectiveCost: '0.8', ChargePeriodStart: '2026-03-01' };
    await writeFacts(world.deps, { ...second, rows: [{ ...charge, ...priced }] });
    const newer = { HostProviderName: 'AWS', PricingCurrencyEffectiveCost: '0.9', ListUnitPrice: '0.1' };
    await world.write(id, account, '2026-02', [{ ...charge, ...newer, ChargePeriodStart: '2026-02-01' }]);
    const sql = `SELECT sum(EffectiveCost) AS cost, HostProviderName AS host, sum(PricingCurrencyEffectiveCost) AS priced,
      min(ListUnitPrice) AS price FROM facts GROUP BY HostProviderName ORDER BY host NULLS FIRST`;
    expect(await world.ask(await world.set(id), sql)).toEqual([
      { cost: '1.00000000', host: null, priced: null, price: null },
      { cost: '1.00000000', host: 'AWS', priced: '0.900000000000', price: '0.1' },
      { cost: '1.00000000', host: 'OCI', priced: '0.800000000000', price: null },
    ]);
  });

  it('cannot access files other than the facts, extensions or settings', async () => {
    for (const sql of [
      `SELECT * FROM read_csv('/etc/passwd')`,
      `SELECT * FROM read_parquet('https://example.com/a.parquet')`,
      `SELECT * FROM glob('/*')`,
    ])
      await expect(ask(sql)).rejects.toThrow(/disabled by configuration|httpfs/);
    const secrets = `SELECT getenv('PATH') AS path`;
    await expect(ask(secrets)).rejects.toThrow(/getenv/);
  });

  it('throws a plain error for invalid SQL', async () => {
    const wrong = ask('SELECT nothing FROM facts');
    await expect(wrong).rejects.toThrow(/query test: Binder Error.*"nothing"/);
    await expect(wrong).rejects.not.toHaveProperty('code');
  });
});

describe('fact set', () => {
  const sum = 'SELECT sum(EffectiveCost) AS cost FROM facts';
  const parts = (set: FactSet) =>
    set.parts.map(({ files, start, end }) => [start, end, [...new Set(files.map(({ grain }) => grain))], files.length]);

  it.each([
    [null, null, [[null, null, ['month'], 2]], '37.750000000001'],
    ['2026-02-01', '2026-04-01', [[null, null, ['month'], 2]], '37.750000000001'],
    [
      '2026-02-28',
      '2026-04-01',
      [
        ['2026-02-28', '2026-03-01', ['day'], 2],
        ['2026-03-01', null, ['month'], 1],
      ],
      '36.500000000000',
    ],
    [
      '2026-02-01',
      '2026-03-31',
      [
        [null, '2026-03-01', ['month'], 2],
        ['2026-03-01', '2026-03-31', ['day'], 1],
      ],
      '17.750000000001',
    ],
    ['2026-02-28', '2026-03-31', [['2026-02-28', '2026-03-31', ['day'], 2]], '16.500000000000'],
    ['2026-03-01', null, [['2026-03-01', null, ['month'], 1]], '30.000000000000'],
    ['2026-03-02', '2026-03-20', [['2026-03-02', '2026-03-20', ['day'], 1]], null],
    ['2026-04-01', null, [], null],
  ] as const)('reads whole months from %s to %s from month files', async (start, end, expected, cost) => {
    const months = await world.set(organizationId, { start, end, grain: 'month' });
    const days = await world.set(organizationId, { start, end });
    expect(parts(months)).toEqual(expected);
    expect(await world.ask(months, sum)).toEqual([{ cost }]);
    expect(await world.ask(days, sum)).toEqual([{ cost }]);
  });
});

describe('tagKeysSql', () => {
  it('keeps the first of keys that differ only in case', async () => {
    const sets = [`'{"APP":1,"App":2,"b":3,"app":4,"é":5}'`, `'{"b":1,"a":2}'`, `'{}'`, 'NULL'];
    const rows = await ask<{ keys: string[] | null }>(
      sets.map((tags) => `SELECT list_sort(${tagKeysSql(tags)}) AS keys`).join(' UNION ALL '),
    );
    expect(rows.map(({ keys }) => keys)).toEqual([['APP', 'b', 'é'], ['a', 'b'], [], []]);
  });

  it('takes time and memory in proportion to the number of keys of a charge', async () => {
    const tags = (key: string) =>
      `(SELECT '{' || string_agg('"' || ${key} || '":"v"', ',') || '}' FROM range(40000) t(i))`;
    const sql = ["'key' || i", "if(i % 2 = 0, 'key', 'KEY') || i // 2"].map(
      (key) => `SELECT len(${tagKeysSql('k')}) AS n FROM (SELECT ${tags(key)} AS k)`,
    );
    expect(await ask(sql.join(' UNION ALL '))).toEqual([{ n: '40000' }, { n: '20000' }]);
  });
});
