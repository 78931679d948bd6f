import { Writable } from 'node:stream';
import type { ReportDocument, Row, Section } from '../../../../src/actions/reports/document.ts';
import { writePdf } from '../../../../src/actions/reports/pdf/write.ts';
import { readPdf, type ReadPage } from './read.ts';

/** Rows as a stream, as a data set yields them. */
export async function* rowsOf(rows: Iterable<Row>): AsyncGenerator<Row> {
  yield* rows;
}

/** A table of services. */
export function aSection(rows: readonly Row[], overrides: Partial<Section> = {}): Section {
  return {
    key: 'services',
    title: 'Services',
    columns: [
      { key: 'service', label: 'Service', type: 'text' },
      { key: 'cost', label: 'Cost', type: 'money', currency: 'USD' },
      { key: 'share', label: 'Share', type: 'percent' },
    ],
    rows: rowsOf(rows),
    rowCount: rows.length,
    totals: null,
    ...overrides,
  };
}

/** A small report. */
export function aReport(overrides: Partial<ReportDocument> = {}): ReportDocument {
  return {
    title: 'Cost by service',
    subtitle: 'What each service cost.',
    organization: 'Plum',
    period: { start: '2026-10-01', end: '2026-10-31' },
    currency: 'USD',
    generatedAt: new Date('2026-11-21T09:00:00Z'),
    filters: [],
    summary: [{ label: 'Total cost', value: '$1,234.50' }],
    charts: [],
    sections: [aSection([['Amazon S3', 1234.5, 100]], { totals: ['Total', 1234.5, 100] })],
    notes: [],
    ...overrides,
  };
}

/** The file of a report. */
export async function fileOf(report: ReportDocument): Promise<Buffer> {
  const parts: Buffer[] = [];
  const out = new Writable({
    write(part: Buffer, _encoding, done) {
      parts.push(part);
      done();
    },
  });
  await writePdf(report, out);
  return Buffer.concat(parts);
}

/** The pages of a report. */
export async function pagesOf(report: ReportDocument): Promise<ReadPage[]> {
  return readPdf(await fileOf(report));
}

/** The texts of a page in drawing order. */
export function textsOf(page: ReadPage | undefined): string[] {
  return page?.lines.map(({ text }) => text) ?? [];
}
