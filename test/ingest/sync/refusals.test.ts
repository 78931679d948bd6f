import { gzipSync, zstdCompressSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { aLine, csvOf, focusColumns, runDuck, type FocusRow } from '../../support/focus.ts';
import { zipOf } from '../../support/zip.ts';
import { billsOfFile, factsOf, stateOf, type Bills } from '../world.ts';

const bills = billsOfFile();

/** One account for the whole table: a rejected file must not change it. */
let account: Bills;
let before: unknown;

beforeAll(async () => {
  account = await bills.ofFile();
  await account.put('good.csv', [aLine({ day: '2026-05-03', cost: '7', Tags: '{"env":"prod"}' })]);
  await account.sync();
  before = await stateOf(account);
});

/** Delivers a file, expects its rejection and no change, and removes it. */
async function expectRefusal(name: string, content: string | Uint8Array, message: string | RegExp): Promise<void> {
  await account.putRaw(name, content);
  try {
    const refusal = await account.refusal();
    if (typeof message === 'string') expect(refusal).toBe(message);
    else expect(refusal).toMatch(message);
    expect(await stateOf(account)).toEqual(before);
  } finally {
    await account.remove(name);
  }
}

/** A valid line item followed by one with these values. */
function second(values: FocusRow): string {
  return csvOf([aLine(), aLine(values)]);
}

const number = 'is not a decimal number';
const instant = 'is not a date and time in ISO 8601, such as 2026-05-01T00:00:00Z';
/** Returns the expected kind of value, from the reason for which another one is rejected. */
const expected = (text: string) => text.replace(/^is not /, '');
const range = 'is not between 1990-01-01 and 2200-01-01';
/** Fits no key of PostgreSQL. */
const long = '名'.repeat(400);
const shown = `${'名'.repeat(80)}…`;
const category = 'is not Usage, Purchase, Tax, Credit or Adjustment';

describe('invalid FOCUS value', () => {
  it.each<[FocusRow, string]>([
    [{ BilledCost: 'twelve' }, `BilledCost: "twelve" ${number}`],
    [{ BilledCost: null }, `BilledCost: no value; expected ${expected(number)}`],
    [{ EffectiveCost: null }, `EffectiveCost: no value; expected ${expected(number)}`],
    [{ BilledCost: 'NaN' }, `BilledCost: "NaN" ${number}`],
    [{ ListCost: 'Infinity' }, `ListCost: "Infinity" ${number}`],
    [{ ContractedCost: '-inf' }, `ContractedCost: "-inf" ${number}`],
    [{ PricingQuantity: '1,5' }, `PricingQuantity: "1,5" ${number}`],
    [{ ConsumedQuantity: '0x10' }, `ConsumedQuantity: "0x10" ${number}`],
    [{ BilledCost: '1_000' }, `BilledCost: "1_000" ${number}`],
    [{ BilledCost: '$1' }, `BilledCost: "$1" ${number}`],
    [{ BilledCost: '1e26' }, 'BilledCost: "1e26" is not between -1e26 and 1e26'],
    [{ BilledCost: '9'.repeat(200) }, `BilledCost: "${'9'.repeat(80)}…" is not between -1e26 and 1e26`],
    [{ BilledCost: '１' }, `BilledCost: "１" ${number}`],
    [{ ChargeCategory: 'Gift' }, `ChargeCategory: "Gift" ${category}`],
    [{ ChargeCategory: null }, `ChargeCategory: no value; expected ${expected(category)}`],
    [{ BillingCurrency: 'DOLLAR' }, 'BillingCurrency: "DOLLAR" is not an ISO 4217 currency code of three letters'],
    [{ BillingCurrency: '€' }, 'BillingCurrency: "€" is not an ISO 4217 currency code of three letters'],
    [{ BillingCurrency: null }, 'BillingCurrency: no value; expected an ISO 4217 currency code of three letters'],
    [{ ChargePeriodStart: '2026-02-30T00:00:00Z' }, `ChargePeriodStart: "2026-02-30T00:00:00Z" ${instant}`],
    [{ ChargePeriodStart: '03/05/2026' }, `ChargePeriodStart: "03/05/2026" ${instant}`],
    [{ ChargePeriodStart: '1746230400' }, `ChargePeriodStart: "1746230400" ${instant}`],
    [{ ChargePeriodStart: '2026-05-02T00:00:00+99:00' }, `ChargePeriodStart: "2026-05-02T00:00:00+99:00" ${instant}`],
    [{ ChargePeriodStart: '2026-05-02 00:00:00 +05:99' }, `ChargePeriodStart: "2026-05-02 00:00:00 +05:99" ${instant}`],
    [{ ChargePeriodStart: '2026-05-02T00:00+15' }, `ChargePeriodStart: "2026-05-02T00:00+15" ${instant}`],
    [
      { ChargePeriodStart: '2026-05-02T00:00:00+05:30:15' },
      `ChargePeriodStart: "2026-05-02T00:00:00+05:30:15" ${instant}`,
    ],
    [{ BillingPeriodStart: '2026-05-01T00:00-9900' }, `BillingPeriodStart: "2026-05-01T00:00-9900" ${instant}`],
    [{ ChargePeriodStart: null }, `ChargePeriodStart: no value; expected ${expected(instant)}`],
    [{ ChargePeriodStart: '1970-01-01T00:00:00Z' }, `ChargePeriodStart: "1970-01-01T00:00:00Z" ${range}`],
    [{ ChargePeriodStart: 'infinity' }, `ChargePeriodStart: "infinity" ${instant}`],
    [{ ChargePeriodEnd: 'infinity' }, `ChargePeriodEnd: "infinity" ${instant}`],
    [{ ChargePeriodStart: '-infinity' }, `ChargePeriodStart: "-infinity" ${instant}`],
    [{ ChargePeriodEnd: 'soon' }, `ChargePeriodEnd: "soon" ${instant}`],
    [{ BillingPeriodStart: '9999-12-31T00:00:00Z' }, `BillingPeriodStart: "9999-12-31T00:00:00Z" ${range}`],
    [{ BillingPeriodStart: '0000-00-00' }, `BillingPeriodStart: "0000-00-00" ${instant}`],
    [{ BillingPeriodStart: null }, `BillingPeriodStart: no value; expected ${expected(instant)}`],
    [{ ResourceName: 'a\0b' }, 'ResourceName: "a\uFFFDb" is not text: it contains a NUL character'],
    [{ ServiceName: '\0' }, 'ServiceName: "\uFFFD" is not text: it contains a NUL character'],
    [{ ServiceName: long }, `ServiceName: "${shown}" is not text of at most 1,000 bytes`],
    [{ Tags: '{"env":' }, 'Tags: "{"env":" is not a JSON object of tags'],
    [
      { Tags: JSON.stringify({ env: 'x'.repeat(65_536) }) },
      `Tags: "{"env":"${'x'.repeat(72)}…" has more than 65,536 characters`,
    ],
    [{ Tags: 'env=prod' }, 'Tags: "env=prod" is not a JSON object of tags'],
    [{ Tags: '["env"]' }, 'Tags: "["env"]" is not a JSON object of tags'],
  ])('is reported with file, row and column: %j', async (values, message) => {
    await expectRefusal('bad.csv', second(values), `bad.csv, row 3, column ${message}`);
  });

  it('is reported if it is too long for a key', async () => {
    const rows = [
      { ...aLine(), InvoiceId: 'fine' },
      { ...aLine(), InvoiceId: long },
    ];
    const text = csvOf(rows, { columns: [...focusColumns['1.0'], 'InvoiceId'] });
    await expectRefusal(
      'bad.csv',
      text,
      `bad.csv, row 3, column InvoiceId: "${shown}" is not text of at most 1,000 bytes`,
    );
  });

  const nines = '99999999999999999999999999.999999999999';
  it.each([
    [{ Compute: '9e25', Storage: '9e25' }],
    [{ Compute: '9e25', Credits: '-9e25', 'Compute ': '9e25' }],
    [{ Compute: nines, Storage: '1' }],
    [{ Compute: `-${nines}`, Storage: '-0.000000000001' }],
  ])('is reported if the sum of amounts has too many digits: %j', async (services) => {
    const lines = Object.entries(services).map(([name, cost]) =>
      aLine({ cost, ServiceName: name.trim(), ResourceId: `vm of ${name}` }),
    );
    await expectRefusal(
      'bill.csv',
      csvOf(lines),
      /^bill\.csv( and 1 other file)?: ha(s|ve) amounts whose sum has more than 26 digits before the decimal point; replace/,
    );
  });

  it('is reported if the sum of amounts of several files has too many digits', async () => {
    await account.putRaw('first.csv', csvOf([aLine({ cost: '9e25' })]));
    try {
      await expectRefusal(
        'second.csv',
        csvOf([aLine({ cost: '9e25', ResourceId: 'vm-2' })]),
        /^\w+\.csv and 2 other files: have amounts whose sum has more than 26 digits before the decimal point; replace them with intact files$/,
      );
    } finally {
      await account.remove('first.csv');
    }
  });

  it('is reported for the first invalid row and its first invalid column', async () => {
    const rows = [
      aLine(),
      aLine({ ResourceName: 'two\nlines' }),
      aLine({ ListCost: 'x', ChargeCategory: 'y' }),
      aLine({ BilledCost: 'z' }),
    ];
    await expectRefusal('bad.csv', csvOf(rows), `bad.csv, row 4, column ListCost: "x" ${number}`);
  });

  it('is reported with its row in a large file, whichever thread finds it', async () => {
    const rows = Array.from({ length: 60_000 }, (_, index) => aLine({ ResourceId: `vm-${index % 50}` }));
    rows[51_234] = aLine({ BilledCost: 'oops' });
    rows[58_000] = aLine({ BilledCost: 'later' });
    await expectRefusal('bad.csv', csvOf(rows), `bad.csv, row 51236, column BilledCost: "oops" ${number}`);
  });

  it.each([
    ["'nan'::DOUBLE", 'BilledCost: "nan" is not a decimal number'],
    ["'-inf'::DOUBLE", 'BilledCost: "-inf" is not a decimal number'],
    ['1e300::DOUBLE', /^BilledCost: "1e\+?300/],
    ['NULL::DOUBLE', 'BilledCost: no value; expected a decimal number'],
    ["'free'", 'BilledCost: "free" is not a decimal number'],
    ["DATE '2026-05-01'", 'BilledCost: "2026-05-01" is not a decimal number'],
    ['true', 'BilledCost: "true" is not a decimal number: the column has the type "BOOLEAN"'],
    ["'12'::BLOB", 'BilledCost: "12" is not a decimal number: the column has the type "BLOB"'],
    ['[12.5::DOUBLE]', 'BilledCost: "12.5" is not a decimal number: the column has the type "DOUBLE[]"'],
    ["{'usd': 1}", 'BilledCost: "{"usd":1}" is not a decimal number: the column has the type "STRUCT(usd INTEGER)"'],
  ])('is reported in Parquet without counting a header row: %s', async (cost, message) => {
    const file = `${account.folder}/bad.parquet`;
    const row = (
      value: string,
    ) => `SELECT ${value} AS BilledCost, 1 AS EffectiveCost, 1 AS ListCost, 1 AS ContractedCost, 'USD' AS BillingCurrency,
      TIMESTAMP '2026-05-01' AS BillingPeriodStart, TIMESTAMP '2026-05-01' AS ChargePeriodStart, 'Usage' AS ChargeCategory, 'S' AS ServiceName, 'AWS' AS ProviderName`;
    const isFirst = !cost.endsWith('DOUBLE');
    await runDuck(`COPY (${row(isFirst ? cost : '1::DOUBLE')} UNION ALL ${row(cost)}) TO '${file}' (FORMAT parquet)`);
    const refusal = await account.refusal();
    const at = /^bad\.parquet, row (\d), column (.*)$/.exec(refusal);
    expect([at?.[1], at?.[2]]).toEqual([
      isFirst ? '1' : '2',
      typeof message === 'string' ? message : expect.stringMatching(message),
    ]);
    expect(await stateOf(account)).toEqual(before);
    await account.remove('bad.parquet');
  });
});

describe('nested tags in Parquet', () => {
  it.each([
    ["['a', 'b']", '["a","b"]', 'VARCHAR[]'],
    ["[{k: 'a', v: 'b'}]", '[{"k":"a","v":"b"}]', 'STRUCT(k VARCHAR, v VARCHAR)[]'],
    ['5', '5', 'INTEGER'],
  ])('are reported with their type: %s', async (tags, text, type) => {
    await runDuck(`COPY (SELECT 1 AS BilledCost, 1 AS EffectiveCost, 1 AS ListCost, 1 AS ContractedCost, 'USD' AS BillingCurrency,
      TIMESTAMP '2026-05-01' AS BillingPeriodStart, TIMESTAMP '2026-05-01' AS ChargePeriodStart, 'Usage' AS ChargeCategory, 'S' AS ServiceName,
      'AWS' AS ProviderName, ${tags} AS Tags) TO '${account.folder}/bad.parquet' (FORMAT parquet)`);
    try {
      expect(await account.refusal()).toBe(
        `bad.parquet, row 1, column Tags: "${text}" is not a set of tags: the column has the type "${type}"; deliver it as a map, a struct, or JSON text`,
      );
      expect(await stateOf(account)).toEqual(before);
    } finally {
      await account.remove('bad.parquet');
    }
  });
});

describe('a time in Parquet', () => {
  const columns = ['ChargePeriodStart', 'ChargePeriodEnd', 'BillingPeriodStart'];
  const values: [string, string][] = [
    ["TIMESTAMP 'infinity'", `"infinity" ${instant}`],
    ["[TIMESTAMP '2026-05-01']", `"2026-05-01 00:00:00" ${instant}: the column has the type "TIMESTAMP[]"`],
    ["MAP {'at': 1}", `"{"at":1}" ${instant}: the column has the type "MAP(VARCHAR, INTEGER)"`],
  ];
  const cases = values.flatMap(([sql, says]) => columns.map((column) => [sql, column, says] as const));

  it.each(cases)('is reported as %s in %s', async (sql, column, says) => {
    const times = columns.map((name) => `${name === column ? sql : "TIMESTAMP '2026-05-01'"} AS ${name}`);
    await runDuck(`COPY (SELECT 1 AS BilledCost, 1 AS EffectiveCost, 1 AS ListCost, 1 AS ContractedCost, 'USD' AS BillingCurrency,
      ${times.join(', ')}, 'Usage' AS ChargeCategory, 'S' AS ServiceName, 'AWS' AS ProviderName) TO '${account.folder}/bad.parquet' (FORMAT parquet)`);
    try {
      expect(await account.refusal()).toBe(`bad.parquet, row 1, column ${column}: ${says}`);
      expect(await stateOf(account)).toEqual(before);
    } finally {
      await account.remove('bad.parquet');
    }
  });
});

describe('invalid FOCUS table', () => {
  const without = (...names: string[]) => focusColumns['1.0'].filter((name) => !names.includes(name));
  const remedy = (them: string) => `FOCUS 1.0 to 1.4 require ${them}; export with all FOCUS columns`;

  it.each<[string, string, string | RegExp]>([
    [
      'a missing column',
      csvOf([aLine()], { columns: without('BilledCost') }),
      `bad.csv: column "BilledCost" missing, but ${remedy('it')}`,
    ],
    [
      'several missing columns',
      csvOf([aLine()], { columns: without('EffectiveCost', 'ChargeCategory') }),
      `bad.csv: columns "EffectiveCost", "ChargeCategory" missing, but ${remedy('them')}`,
    ],
    [
      'no provider column',
      csvOf([aLine()], { columns: without('ProviderName', 'InvoiceIssuerName') }),
      `bad.csv: column "ProviderName" missing, but ${remedy('it')}`,
    ],
    ['an unrelated bill', 'date,cost\n2026-05-01,1\n', /^bad\.csv: columns "BilledCost", "EffectiveCost", .* missing/],
    [
      'a duplicate column, ignoring case',
      csvOf([aLine()], { columns: [...focusColumns['1.0'], 'BILLEDCOST'] }),
      'bad.csv: column "BILLEDCOST" appears twice in the header (row 1); remove one',
    ],
    ['an empty file', '', 'bad.csv: the file is empty; a FOCUS file starts with a row of column names'],
    ['an empty line', '\n', 'bad.csv: the file is empty; a FOCUS file starts with a row of column names'],
    ['only a byte order mark', '\uFEFF', 'bad.csv: the file is empty; a FOCUS file starts with a row of column names'],
    [
      'too many columns',
      csvOf([aLine()], {
        columns: [...focusColumns['1.0'], ...Array.from({ length: 958 }, (_, index) => `x_${index}`)],
      }),
      'bad.csv: 1001 columns; at most 1000 are read',
    ],
    [
      'a row with too many values',
      `${csvOf([aLine()])}${csvOf([aLine()]).split('\n')[1]},extra\n`,
      'bad.csv, row 3: has 44 columns where the header has 43; replace it with an intact file',
    ],
    [
      'a row that ends early',
      `${csvOf([aLine()])}us-east-1,1.5\n`,
      'bad.csv, row 3: has 2 columns where the header has 43; replace it with an intact file',
    ],
    [
      'a quote that is never closed',
      `${csvOf([aLine()])}${csvOf([aLine()]).split('\n')[1]?.replace('Usage', '"Usage')}\n`,
      /^bad\.csv, row 3: has .*; replace it with an intact file$/,
    ],
    [
      'text after a closing quote',
      `${csvOf([aLine()])}${csvOf([aLine()]).split('\n')[1]?.replace('Usage', '"Usage"s')}\n`,
      'bad.csv, row 3: has an unclosed quote, or text after a closing quote; replace it with an intact file',
    ],
  ])('is rejected: %s', async (_what, content, message) => {
    await expectRefusal('bad.csv', content, message);
  });

  it('is not reported for a thousand columns', async () => {
    const columns = [...focusColumns['1.0'], ...Array.from({ length: 957 }, (_, index) => `x_${index}`)];
    const other = await bills();
    await other.put('wide.csv', [aLine({ cost: '3' })], { columns });
    expect((await other.sync()).lineItems).toBe(1);
  });

  it.each<[string, Uint8Array, string | RegExp]>([
    [
      'UTF-16 with a byte order mark',
      Buffer.from(`\uFEFF${csvOf([aLine()])}`, 'utf16le'),
      'bad.csv, row 1: is not UTF-8 text but UTF-16; deliver the file as UTF-8',
    ],
    [
      'UTF-16 without a byte order mark',
      Buffer.from(csvOf([aLine()]), 'utf16le'),
      'bad.csv, row 1: is not UTF-8 text but UTF-16; deliver the file as UTF-8',
    ],
    [
      'Latin-1',
      Buffer.from(second({ RegionName: 'Zürich' }), 'latin1'),
      'bad.csv, row 3: is not UTF-8 text; replace it with an intact file',
    ],
    [
      'a Latin-1 header',
      Buffer.from(csvOf([aLine()], { columns: [...focusColumns['1.0'], 'x_Größe'] }), 'latin1'),
      'bad.csv, row 1: is not UTF-8 text; deliver the file as UTF-8',
    ],
    [
      'a row of 3 MB',
      Buffer.from(second({ ResourceName: 'x'.repeat(3_000_000) })),
      'bad.csv, row 3: is longer than 2,000,000 bytes; replace it with an intact file',
    ],
    [
      'one line without an end',
      Buffer.alloc(2_000_000, 'x'),
      'bad.csv: no line ends within the first MiB; it is not a CSV file',
    ],
  ])('is rejected: %s', async (_what, content, message) => {
    await expectRefusal('bad.csv', content, message);
  });
});

describe('damaged compressed file', () => {
  const rows = Array.from({ length: 5000 }, (_, index) =>
    aLine({ ResourceId: `vm-${index}`, BilledCost: String(index) }),
  );
  const whole = gzipSync(csvOf(rows));
  const cut = 'the gzip data is truncated or damaged (unexpected end of file); replace it with an intact file';

  it.each([1, 8, 100, whole.length - 9, whole.length - 8, whole.length - 1])(
    'is rejected if truncated after %i bytes',
    async (length) => {
      await expectRefusal('bad.csv.gz', whole.subarray(0, length), `bad.csv.gz: ${cut}`);
    },
  );

  it('is rejected if truncated between two lines', async () => {
    const lines = csvOf(rows).split(/(?<=\n)/);
    const { createGzip, constants } = await import('node:zlib');
    const gzip = createGzip();
    const chunks: Buffer[] = [];
    gzip.on('data', (chunk: Buffer) => chunks.push(chunk));
    gzip.write(lines.slice(0, 2500).join(''));
    await new Promise<void>((resolve) => gzip.flush(constants.Z_FULL_FLUSH, () => resolve()));
    await expectRefusal('bad.csv.gz', Buffer.concat(chunks), `bad.csv.gz: ${cut}`);
  });

  it('is rejected for a damaged byte', async () => {
    const damaged = Buffer.from(whole);
    damaged.writeUInt8(damaged.readUInt8(damaged.length - 6) ^ 1, damaged.length - 6);
    await expectRefusal(
      'bad.csv.gz',
      damaged,
      /^bad\.csv\.gz: the gzip data is truncated or damaged \(incorrect (data|length) check\); replace it with an intact file$/,
    );
  });

  it.each<[string, string, string | Uint8Array, string | RegExp]>([
    [
      'text named .gz',
      'bad.csv.gz',
      csvOf([aLine()]),
      'bad.csv.gz: the gzip data is truncated or damaged (incorrect header check); replace it with an intact file',
    ],
    [
      'an empty gzip',
      'bad.csv.gz',
      gzipSync(''),
      'bad.csv.gz: the file is empty; a FOCUS file starts with a row of column names',
    ],
    ['an empty file named .gz', 'bad.csv.gz', '', /^bad\.csv\.gz: /],
    [
      'text named .parquet',
      'bad.parquet',
      csvOf([aLine()]),
      'bad.parquet: not a Parquet file, or truncated; replace it with an intact file',
    ],
    [
      'an empty Parquet',
      'bad.parquet',
      '',
      'bad.parquet: not a Parquet file, or truncated; replace it with an intact file',
    ],
    [
      'text named .zip',
      'bad.csv.zip',
      csvOf([aLine()]),
      /^bad\.csv\.zip: the ZIP archive is truncated or damaged \(.*\); replace it with an intact file$/,
    ],
    [
      'text named .zst',
      'bad.csv.zst',
      csvOf([aLine()]),
      /^bad\.csv\.zst: the zstd data is truncated or damaged \(.*\); replace it with an intact file$/,
    ],
  ])('is rejected: %s', async (_what, name, content, message) => {
    await expectRefusal(name, content, message);
  });

  it('is rejected if zstd is truncated in the last frame', async () => {
    const frames = csvOf(rows)
      .split(/(?<=\n)/)
      .map((line) => zstdCompressSync(line));
    const bytes = Buffer.concat(frames);
    await expectRefusal(
      'bad.csv.zst',
      bytes.subarray(0, bytes.length - 4),
      'bad.csv.zst: the zstd data is truncated or damaged (unexpected end of file); replace it with an intact file',
    );
  });

  it('is rejected if a byte of an archive is damaged', async () => {
    const zip = await zipOf({ 'a.csv': csvOf(rows), 'b.csv': 'x' });
    const damaged = Buffer.from(zip);
    damaged.writeUInt8(damaged.readUInt8(5000) ^ 255, 5000);
    await expectRefusal(
      'bad.zip',
      damaged,
      /^bad\.zip: the ZIP archive is truncated or damaged \(.*\); replace it with an intact file$/,
    );
    await expectRefusal(
      'bad.zip',
      zip.subarray(0, zip.length - 30),
      /^bad\.zip: the ZIP archive is truncated or damaged/,
    );
  });

  it('is rejected if it is an archive in an archive', async () => {
    const inner = await zipOf({ 'a.csv': csvOf([aLine()]) });
    await expectRefusal(
      'bad.zip',
      await zipOf({ 'inner.csv': inner }),
      '"bad.zip/inner.csv" is an archive inside an archive; deliver its files directly',
    );
  });

  it('is rejected if an archive inflates to more than 200 times its size', async () => {
    const bomb = await zipOf({ 'a.csv': Buffer.alloc(300 << 20, 'x') });
    await expectRefusal(
      'bad.zip',
      bomb,
      'bad.zip: inflates to more than 200 times its size; it is not a billing export',
    );
  });

  it('is rejected if it is truncated Parquet', async () => {
    const { readFile, rm } = await import('node:fs/promises');
    await account.put('cut.parquet', rows.slice(0, 100));
    const bytes = await readFile(`${account.folder}/cut.parquet`);
    await rm(`${account.folder}/cut.parquet`);
    await expectRefusal(
      'bad.parquet',
      bytes.subarray(0, bytes.length - 20),
      'bad.parquet: not a Parquet file, or truncated; replace it with an intact file',
    );
  });

  it('is rejected if it inflates to more than 200 times its size', async () => {
    const header = gzipSync(csvOf([]));
    const line = csvOf([aLine({ Tags: null })]).split('\n')[1] ?? '';
    const block = gzipSync(`${line}\n`.repeat(Math.ceil((64 << 20) / line.length)), { level: 9 });
    const bomb = Buffer.concat([header, ...Array.from({ length: 5 }, () => block)]);
    await expectRefusal(
      'bad.csv.gz',
      bomb,
      /^bad\.csv\.gz: inflates to more than 200 times its size; it is not a billing export$/,
    );
  });
});

describe('unusual but valid file', () => {
  it.each([
    ['quotes', 'a "b" \'c\' ""'],
    ['backslashes', '\\ \\\\ \\n \\\\N'],
    ['the null marker of COPY', '\\N'],
    ['the end marker of COPY', '\\.'],
    ['line ends', 'a\nb\r\nc'],
    ['SQL', "'; DROP TABLE cost_facts; --"],
    ['emoji and right-to-left text', '👩‍👩‍👧 שלום'],
    ['control characters', 'a\u0001b\u001fc\u007f'],
    ['blanks', ' a\tb '],
    ['a comma and a semicolon', 'a,b;c|d'],
    ['a no-break space and a soft hyphen', 'a\u00a0b\u00adc'],
  ])('keeps %s in every name', async (_what, text) => {
    const other = await bills();
    const names = {
      ServiceName: text,
      RegionId: text,
      RegionName: text,
      SubAccountId: text,
      SubAccountName: text,
      ResourceId: text,
      ResourceName: text,
    };
    await other.put('a.csv', [
      aLine({ ...names, CommitmentDiscountId: text, SkuId: text, Tags: JSON.stringify({ [text.trim()]: text }) }),
    ]);
    await other.sync();
    const [fact] = await factsOf(other);
    expect(fact).toMatchObject({
      service: text,
      region: text,
      region_name: text,
      sub_account: text,
      sub_account_name: text,
      resource: text,
      resource_name: text,
      commitment: text,
      sku: `${text}||||`,
    });
    expect(JSON.parse(fact?.['tags'] ?? '')).toEqual({ [text.trim()]: text });
  });

  it('keeps 10,001 values of one tag, but leaves its key out of the rollups', async () => {
    const other = await bills();
    const lines = Array.from({ length: 10_001 }, (_, index) =>
      aLine({ ResourceId: 'one', Tags: `{"id":"${index}","env":"prod"}` }),
    );
    await other.put('a.csv.gz', lines);
    await other.sync();
    const { rows } = await other.pool.query(
      'SELECT key, value_count, rolled_up FROM tag_keys WHERE account_id = $1 ORDER BY key',
      [other.accountId],
    );
    expect(rows).toEqual([
      { key: 'env', value_count: 1, rolled_up: true },
      { key: 'id', value_count: 10_001, rolled_up: false },
    ]);
    const { rows: sets } = await other.pool.query(
      'SELECT count(DISTINCT tag_set_id)::int AS sets FROM cost_rollups WHERE account_id = $1 AND rollup = 7',
      [other.accountId],
    );
    expect(sets).toEqual([{ sets: 1 }]);
  });

  it('gets default names for a missing provider, service or account', async () => {
    const other = await bills();
    const none = {
      ProviderName: null,
      InvoiceIssuerName: null,
      ServiceName: null,
      ServiceCategory: null,
      RegionId: null,
      SubAccountId: null,
      BillingAccountId: null,
      ResourceId: null,
    };
    await other.put('a.csv', [aLine(none)]);
    await other.sync();
    expect(await factsOf(other)).toMatchObject([
      {
        provider: 'unknown',
        service: 'Unknown',
        service_category: 'Other',
        region: 'global',
        sub_account: 'unassigned',
        payer: null,
        resource: null,
      },
    ]);
  });
});
