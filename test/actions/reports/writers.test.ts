import { Writable } from 'node:stream';
import { readXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import type { ReportDocument, ReportWriter, Row, Section } from '../../../src/actions/reports/document.ts';
import { writeCsv, writeJson } from '../../../src/actions/reports/writers/text.ts';
import { sheetsOf } from '../../../src/actions/reports/xlsx/sheet.ts';
import { writeXlsx } from '../../../src/actions/reports/xlsx/write.ts';
import { hostile } from './world.ts';

async function* stream(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}

const columns: Section['columns'] = [
  { key: 'service', label: 'Service', type: 'text', absent: '(none)' },
  { key: 'cost', label: 'Cost', type: 'money', currency: 'USD' },
  { key: 'share', label: 'Share', type: 'percent' },
  { key: 'day', label: 'Day', type: 'date' },
  { key: 'at', label: 'At', type: 'instant' },
];

const rows: readonly Row[] = [
  [hostile, 0.000001, 12.5, '2024-02-29', '2024-02-29T10:00:01.500Z'],
  ['-1', -1234567.891234, null, '1900-03-01', null],
  ['Ünïcode 漢字 "q", \r\n', 0, 100, null, '2024-12-31T23:59:59.000Z'],
  [null, 3, 0, '2024-01-01', '2024-01-01T00:00:00.000Z'],
  ['_x0041_ \ud800', 1, 1, '2024-01-01', '2024-01-01T00:00:00.000Z'],
];

function aDocument(more: Partial<Section> = {}): ReportDocument {
  const section = {
    key: 'services',
    title: 'A/B [x]: *?',
    columns,
    rowCount: rows.length,
    totals: ['Total', 5, 100, null, null],
  };
  return {
    title: 'Cost by service',
    subtitle: 'Test',
    organization: hostile,
    period: { start: '2024-01-01', end: '2024-02-29' },
    currency: 'USD',
    generatedAt: new Date('2024-03-01T10:00:00Z'),
    filters: [{ label: 'Accounts', value: '=1+1' }],
    summary: [{ label: 'Total cost', value: '$5.00' }],
    charts: [],
    notes: ['A note'],
    sections: [
      { ...section, rows: stream(rows), ...more },
      { ...section, key: 'more', rows: stream([]), rowCount: 0, totals: null },
    ],
  };
}

async function written(write: ReportWriter, document: ReportDocument): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const out = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      setImmediate(done);
    },
  });
  await write(document, out);
  expect(out.writableFinished).toBe(true);
  return Buffer.concat(chunks);
}

describe('a report as CSV', () => {
  it('contains its main table with plain numbers, neutralized formulas, no control characters and a currency per amount', async () => {
    const text = (await written(writeCsv, aDocument())).toString();
    expect(text).toBe(
      [
        'service,cost,share,day,at,currency',
        `"'=HYPERLINK(""http://x"",""<b>&|"")",0.000001,12.5,2024-02-29,2024-02-29T10:00:01.500Z,USD`,
        "'-1,-1234567.891234,,1900-03-01,,USD",
        '"Ünïcode 漢字 ""q"", \r\n",0,100,,2024-12-31T23:59:59.000Z,USD',
        '(none),3,0,2024-01-01,2024-01-01T00:00:00.000Z,USD',
        '_x0041_ \ufffd,1,1,2024-01-01,2024-01-01T00:00:00.000Z,USD',
        '',
      ].join('\r\n'),
    );
  });

  it('quotes line breaks in names, and keeps formulas after them inert', async () => {
    const document = aDocument({
      rows: stream([
        ['a\n=1+1', 1, 2, null, null],
        ['\r=1+1', 1, 2, null, null],
      ]),
    });
    const text = (await written(writeCsv, document)).toString();
    expect(text.split('\r\n').slice(1)).toEqual([`"a\n'=1+1",1,2,,,USD`, `"'\r'=1+1",1,2,,,USD`, '']);
  });
});

describe('a report as JSON', () => {
  it('contains every table, with rows keyed by column', async () => {
    const body = JSON.parse((await written(writeJson, aDocument())).toString());
    expect(body).toMatchObject({
      title: 'Cost by service',
      start_date: '2024-01-01',
      generated_at: '2024-03-01T10:00:00.000Z',
    });
    expect(body.tables.services.rows).toEqual(
      rows.map(([service, cost, share, day, at]) => ({ service, cost, share, day, at })),
    );
    expect(body.tables.services.columns[1]).toEqual({ key: 'cost', label: 'Cost', type: 'money', currency: 'USD' });
    expect(body.tables.more.rows).toEqual([]);
  });
});

describe('a report as XLSX', () => {
  it('has typed cells for numbers, dates and text', async () => {
    const { sheets } = await readXlsx(new Uint8Array(await written(writeXlsx, aDocument())));
    expect(sheets.map(({ name }) => name)).toEqual(['A B x', 'A B x 2', 'About']);
    const date = (text: string) => new Date(text);
    expect(sheets[0]?.rows).toEqual([
      ['Service', 'Cost (USD)', 'Share', 'Day', 'At'],
      ['=HYPERLINK("http://x","<b>&|")', 0.000001, 12.5, date('2024-02-29'), date('2024-02-29T10:00:01.500Z')],
      ['-1', -1234567.891234, null, date('1900-03-01'), null],
      ['Ünïcode 漢字 "q", \r\n', 0, 100, null, date('2024-12-31T23:59:59Z')],
      ['(none)', 3, 0, date('2024-01-01'), date('2024-01-01')],
      ['_x0041_ \ufffd', 1, 1, date('2024-01-01'), date('2024-01-01')],
      ['Total', 5, 100, null, null],
    ]);
    expect(sheets[2]?.rows.flat()).toContain('=1+1');
  });

  it('continues in another sheet when one is full, with a heading, and totals at the end', async () => {
    const many = Array.from({ length: 705 }, (_, index): Row => [`s${index}`, index, null, null, null]);
    const sheets: string[] = [];
    const table = { key: 'many', title: 'Many', columns, rows: stream(many), rowCount: 705, totals: ['Total'] };
    for await (const sheet of sheetsOf(table, 300)) {
      let text = '';
      for await (const piece of sheet) text += piece;
      sheets.push(text);
    }
    const numbers = sheets.map((text) => text.match(/<row r="/g)?.length);
    expect(numbers).toEqual([301, 301, 107]);
    const names = sheets.flatMap((text) => [...text.matchAll(/>(s\d+)</g)].map(([, name]) => name));
    expect(names).toEqual(many.map(([name]) => name));
    expect(sheets.map((text) => text.includes('Total'))).toEqual([false, false, true]);
  });

  it('fails when reading rows fails, rather than appearing complete', async () => {
    async function* broken(): AsyncGenerator<Row> {
      yield ['a', 1, null, null, null];
      throw new Error('The database is away');
    }
    for (const write of [writeXlsx, writeCsv, writeJson])
      await expect(written(write, aDocument({ rows: broken() }))).rejects.toThrow('The database is away');
  });
});
