import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { onPaper, type Row } from '../../../../src/actions/reports/document.ts';
import { tableRows } from '../../../../src/actions/reports/pdf/table.ts';
import { writePdf } from '../../../../src/actions/reports/pdf/write.ts';
import { aReport, aSection, fileOf, pagesOf, rowsOf, textsOf } from './sample.ts';

const many = (count: number) => Array.from({ length: count }, (_, index): Row => [`Service ${index}`, index, 1]);

describe('a report as PDF', () => {
  it('starts with title and key figures, and ends with its table', async () => {
    const [first, ...more] = await pagesOf(aReport({ filters: [{ label: 'Provider', value: 'aws' }] }));
    expect(more).toEqual([]);
    expect(textsOf(first)).toEqual([
      'Costkeep · generated 2026-11-21 09:00 UTC',
      'Costkeep',
      'Plum',
      'Cost by service',
      'What each service cost.',
      'Period',
      'Oct 1–31, 2026',
      'Length',
      '31 days',
      'Currency',
      'USD',
      'Provider',
      'aws',
      'Total cost',
      '$1,234.50',
      'Services',
      '1 row',
      'Service',
      'Cost (USD)',
      'Share',
      'Amazon S3',
      '1,234.50',
      '100.00%',
      'Total',
      '1,234.50',
      '100.00%',
      'Page 1 of 1',
    ]);
  });

  it('writes words and names of providers instead of values of the API', async () => {
    const section = aSection(
      [
        ['aws', 'in_progress'],
        ['gcp', 'open'],
        ['oracle', 'open'],
      ],
      {
        columns: [
          { key: 'provider', label: 'Provider', type: 'text', isProvider: true },
          { key: 'status', label: 'Status', type: 'text', isWord: true },
        ],
      },
    );
    const [page] = await pagesOf(onPaper(aReport({ sections: [section] })));
    const texts = textsOf(page);
    expect(texts).toEqual(expect.arrayContaining(['AWS', 'In progress', 'Google Cloud', 'Open']));
    expect(texts).not.toContain('gcp');
  });

  it('is byte-identical when written again', async () => {
    expect((await fileOf(aReport())).equals(await fileOf(aReport()))).toBe(true);
  });

  it('repeats headings on every page, numbers the pages, and loses no row', async () => {
    const pages = await pagesOf(aReport({ sections: [aSection(many(200))] }));
    expect(pages.length).toBeGreaterThan(3);
    for (const [index, page] of pages.entries()) {
      expect(textsOf(page)).toContain('Cost (USD)');
      expect(textsOf(page).at(-1)).toBe(`Page ${index + 1} of ${pages.length}`);
      if (index > 0) expect(textsOf(page).slice(0, 2)).toEqual(['Plum · Cost by service', 'Oct 1–31, 2026']);
    }
    const services = pages.flatMap(textsOf).filter((text) => text.startsWith('Service '));
    expect(services).toEqual(many(200).map(([service]) => service));
  });

  it('keeps long and wide content within the margins', async () => {
    const long = 'arn:aws:elasticloadbalancing:eu-central-1:123456789012:loadbalancer/app/'.repeat(8);
    const columns = Array.from({ length: 9 }, (_, index) => ({
      key: `c${index}`,
      label: `${long} ${index}`,
      type: 'text' as const,
    }));
    const wide = aSection([columns.map(() => long), columns.map(() => 'W'.repeat(500))], { columns, title: long });
    const huge = aSection([['x', 123_456_789_012_345.67, 100]], { key: 'huge' });
    const report = aReport({ title: long, subtitle: long, organization: long, sections: [wide, huge] });
    const pages = await pagesOf({
      ...report,
      summary: Array.from({ length: 6 }, () => ({ label: long, value: long })),
      filters: [{ label: 'Accounts', value: long }],
      notes: [long],
    });
    expect(pages.some(({ width, height }) => width > height)).toBe(true);
    for (const { width, height, lines } of pages) {
      for (const { text, x, y } of lines) {
        expect({ text, isIn: x >= 43.9 && x < width - 44 && y > 20 && y < height - 20 }).toEqual({ text, isIn: true });
      }
    }
  });

  it('shows the labels of four key figures in full', async () => {
    const label = 'vs. the previous 365 days';
    const [page] = await pagesOf(aReport({ summary: Array.from({ length: 4 }, () => ({ label, value: '+2.9%' })) }));
    expect(textsOf(page).filter((text) => text === label)).toHaveLength(4);
  });

  it('has no currency in the heading when each row has its own', async () => {
    const columns = [
      { key: 'cost', label: 'Cost', type: 'money' as const, currency: null },
      { key: 'currency', label: 'Currency', type: 'text' as const },
    ];
    const [page] = await pagesOf(aReport({ sections: [aSection([[1234.5, 'JPY']], { columns })] }));
    expect(textsOf(page).slice(-6)).toEqual(['1 row', 'Cost', 'Currency', '1,234.50', 'JPY', 'Page 1 of 1']);
  });

  it('shows a message when there are no rows', async () => {
    const [page] = await pagesOf(aReport({ sections: [aSection([])] }));
    expect(textsOf(page)).toContain('No data for this period and these filters.');
  });

  it('renders several scripts, and explains missing characters', async () => {
    const names = ['Zażółć gęślą', 'Заказы', 'Υπηρεσία', 'Dịch vụ', '日本'];
    const [page] = await pagesOf(aReport({ sections: [aSection(names.map((name) => [name, 1, 1]))] }));
    const texts = textsOf(page);
    expect(texts).toEqual(expect.arrayContaining(names.slice(0, 4)));
    expect(texts).toContain('\uFFFD\uFFFD');
    expect(texts.some((text) => text.startsWith('\uFFFD replaces a character'))).toBe(true);
  });

  it('neutralizes control characters and PDF syntax in names', async () => {
    const names = ['\u202Egnp.exe', 'a\u200Bb', 'line\nbreak\tand tab', ') Tj ET (x) Tj', '<script>\\n%'];
    const [page] = await pagesOf(aReport({ sections: [aSection(names.map((name) => [name, 1, 1]))] }));
    const shown = ['gnp.exe', 'ab', 'line break and tab', ') Tj ET (x) Tj', '<script>\\n%'];
    expect(textsOf(page)).toEqual(expect.arrayContaining(shown));
  });
});

describe('totals', () => {
  it('are never on a page without a row', async () => {
    for (let count = 24; count < 28; count += 1) {
      const rows = Array.from({ length: count }, (_, index) => [`Service ${index}`, 1, 1] satisfies Row);
      const pages = await pagesOf(aReport({ sections: [aSection(rows, { totals: ['Total', count, 100] })] }));
      const texts = textsOf(pages.at(-1));
      expect(texts).toContain('Total');
      expect(texts, `${count} rows`).toContain(`Service ${count - 1}`);
    }
  });
});

describe('a very long report', () => {
  it('is truncated with a note, and reads no more rows than it shows', async () => {
    let asked = 0;
    async function* endless(): AsyncGenerator<Row> {
      for (;;) yield [`Service ${asked++}`, 1, 1];
    }
    const report = aReport({
      sections: [aSection([], { rows: endless(), rowCount: 250_000, totals: ['Total', 9, 100] })],
    });
    const pages = await pagesOf(report);
    const texts = textsOf(pages.at(-1));
    expect(texts).toContain(
      'The first 100,000 rows of 250,000 are shown. The XLSX and JSON formats of this report contain all of them.',
    );
    expect(texts).toContain('Total');
    expect(asked).toBe(tableRows + 1);
  }, 60_000);

  it('respects backpressure', async () => {
    let [made, taken] = [0, 0];
    const rows = (function* () {
      for (; made < 20_000; made += 1) yield [`Service ${made} ${Math.sin(made)}`, made, 1] satisfies Row;
    })();
    const out = new Writable({
      highWaterMark: 1024,
      write(part: Buffer, _encoding, done) {
        taken += part.length;
        // Blocks halfway.
        if (taken < 100_000 || isGoing) done();
        else go = done;
      },
    });
    let isGoing = false;
    let go = () => {};
    const written = writePdf(aReport({ sections: [aSection([], { rows: rowsOf(rows), rowCount: null })] }), out);
    // Until no more rows are produced.
    for (let before = -1; before !== made; await sleep(400)) before = made;
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(20_000);
    isGoing = true;
    go();
    await written;
    expect(made).toBe(20_000);
  }, 60_000);
});

describe('failures', () => {
  it('of reading rows are rethrown', async () => {
    async function* broken(): AsyncGenerator<Row> {
      yield ['a', 1, 1];
      throw new Error('The database is away');
    }
    const report = aReport({ sections: [aSection([], { rows: broken() })] });
    await expect(fileOf(report)).rejects.toThrow('The database is away');
  });

  it('of the output are rethrown, and close the row source', async () => {
    let isLet = false;
    async function* rows(): AsyncGenerator<Row> {
      try {
        for (let index = 0; ; index += 1) yield [`Service ${index}`, 1, 1];
      } finally {
        isLet = true;
      }
    }
    const out = new Writable({ write: (_part, _encoding, done) => done(new Error('The disk is full')) });
    const report = aReport({ sections: [aSection([], { rows: rows() })] });
    await expect(writePdf(report, out)).rejects.toThrow('The disk is full');
    expect(isLet).toBe(true);
  });
});
