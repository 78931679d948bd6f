import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import fc from 'fast-check';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  dateField,
  joinFields,
  textFields,
  uuidFields,
  writeBinaryCopy,
} from '../../../../src/ingest/sync/loader/binary-copy.ts';
import { openDuck, type Duck } from '../../../../src/ingest/sync/loader/duck.ts';
import { freshDatabase } from '../../../support/database.ts';

const account = '01a1fdd0-cb7b-72b6-9c71-168220a52806';
const runs = [textFields('aws', 'USD'), textFields('gcp', 'EUR')];
const columns = ['numeric', 'date', 'int2', 'int8', { runs }, 'int4'] as const;
const leading = joinFields(uuidFields(account), dateField('1999-12-31'));

let folder: string;
let duck: Duck;
let client: pg.Client;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'costkeep-test-'));
  duck = await openDuck(folder, [], 256, 1);
  client = new pg.Client((await freshDatabase()).connection);
  await client.connect();
  await client.query(
    'CREATE TEMP TABLE got (account uuid, month date, amount numeric, day date, small smallint, big bigint, provider text, currency text, medium integer)',
  );
});

afterAll(async () => {
  await client.end();
  duck.close();
  await rm(folder, { recursive: true, force: true });
});

/** Sends rows of DuckDB through the file, and answers what PostgreSQL then holds. */
async function sent(values: string): Promise<(string | null)[][]> {
  const path = join(folder, 'rows.copy');
  await writeBinaryCopy(duck, `SELECT * FROM (VALUES ${values}) t(n, d, s, b, r, m)`, columns, { path, leading });
  await client.query('TRUNCATE got');
  await pipeline(createReadStream(path), client.query(copyFrom('COPY got FROM STDIN (FORMAT binary)')));
  const { rows } = await client.query<Record<string, string | null>>(
    'SELECT account::text, month::text, amount::text, day::text, small::text, big::text, provider, currency, medium::text FROM got',
  );
  return rows.map((row) => Object.values(row));
}

const value = (
  amount: string,
  rest = `DATE '2026-02-28', -7::SMALLINT, (-9223372036854775808)::BIGINT, 2::USMALLINT, (-16777215)::INTEGER`,
) => `(${amount}::DECIMAL(38,12), ${rest})`;

test('every kind of column arrives as it left', async () => {
  expect(await sent(value('1.5'))).toEqual([
    [account, '1999-12-31', '1.500000000000', '2026-02-28', '-7', '-9223372036854775808', 'gcp', 'EUR', '-16777215'],
  ]);
});

test('nulls arrive as nulls, each in its own row and column', async () => {
  const nulls = value('NULL', 'NULL::DATE, NULL::SMALLINT, NULL::BIGINT, 1::USMALLINT, NULL::INTEGER');
  const rows = await sent([nulls, value('2'), nulls].join(', '));
  expect(rows.map((row) => row[2])).toEqual([null, '2.000000000000', null]);
  expect(rows[0]?.slice(3)).toEqual([null, null, null, 'aws', 'USD', null]);
});

test('decimals at the edges of their fast and slow ways arrive exactly', async () => {
  const edges = [
    '0',
    '9007.199254740991',
    '9007.199254740992',
    '9007.199254740993',
    '0.000000000001',
    '10000',
    '0.0001',
  ];
  const wide = '99999999999999999999999999.999999999999';
  const amounts = [...edges, wide].flatMap((amount) => [amount, `-${amount}`]);
  const rows = await sent(amounts.map((amount) => value(`'${amount}'`)).join(', '));
  expect(rows.map((row) => Number(row[2]))).toEqual(amounts.map((amount) => Number(amount) + 0));
  expect(rows.at(-1)?.[2]).toBe(`-${wide}`);
  expect(rows[2]?.[2]).toBe('9007.199254740991');
  expect(rows[6]?.[2]).toBe('9007.199254740993');
});

test('any decimals of 12 places arrive exactly', async () => {
  const decimal = fc
    .tuple(fc.bigInt(-(10n ** 37n), 10n ** 37n), fc.integer({ min: 0, max: 36 }))
    .map(([digits, cut]) => text(digits / 10n ** BigInt(cut)));
  await fc.assert(
    fc.asyncProperty(fc.array(decimal, { minLength: 1, maxLength: 50 }), async (amounts) => {
      const rows = await sent(amounts.map((amount) => value(`'${amount}'`)).join(', '));
      expect(rows.map((row) => row[2])).toEqual(amounts);
    }),
    { numRuns: 40 },
  );
});

/** A whole number of 10^-12 as a decimal. */
function text(scaled: bigint): string {
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(13, '0');
  return `${scaled < 0n ? '-' : ''}${digits.slice(0, -12)}.${digits.slice(-12)}`;
}

test('more rows than a chunk and a buffer hold arrive all', async () => {
  const path = join(folder, 'many.copy');
  const query =
    "SELECT (i * 1.25)::DECIMAL(38,12), DATE '2026-01-01' + (i % 31)::INT, (i % 7)::SMALLINT, i::BIGINT, 1::USMALLINT, i::INTEGER FROM range(20000) t(i)";
  await writeBinaryCopy(duck, query, columns, { path, leading });
  await client.query('TRUNCATE got');
  await pipeline(createReadStream(path), client.query(copyFrom('COPY got FROM STDIN (FORMAT binary)')));
  const { rows } = await client.query(
    'SELECT count(*)::int AS n, sum(amount)::text AS amount, sum(big)::text AS big FROM got',
  );
  expect(rows).toEqual([{ n: 20000, amount: '249987500.000000000000', big: '199990000' }]);
});
