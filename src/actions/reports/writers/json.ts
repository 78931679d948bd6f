import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Column, ReportDocument, Row, Section } from '../document.ts';
import { bunches } from './text.ts';

/** Writes a document as one JSON object, with every table. `tables.<key>.rows` holds objects by the keys of the columns. */
export async function writeJson(document: ReportDocument, out: Writable): Promise<void> {
  await pipeline(Readable.from(pieces(document)), out);
}

async function* pieces(document: ReportDocument): AsyncGenerator<string> {
  const { title, subtitle, organization, period, currency, generatedAt, filters, summary, notes, sections } = document;
  const head = {
    title,
    subtitle,
    organization,
    start_date: period.start,
    end_date: period.end,
    currency,
    generated_at: generatedAt.toISOString(),
    filters,
    summary,
    notes,
  };
  yield `${JSON.stringify(head).slice(0, -1)},"tables":{`;
  for (const [index, section] of sections.entries()) {
    if (index > 0) yield ',';
    yield* table(section);
  }
  yield '}}\n';
}

async function* table({ key, title, columns, rows }: Section): AsyncGenerator<string> {
  const described = columns.map((column) => ({
    key: column.key,
    label: column.label,
    type: column.type,
    currency: column.currency ?? null,
  }));
  yield `\n${JSON.stringify(key)}:{"title":${JSON.stringify(title)},"columns":${JSON.stringify(described)},"rows":[`;
  let isFirst = true;
  for await (const bunch of bunches(rows)) {
    const texts = bunch.map((row) => JSON.stringify(objectOf(columns, row)));
    yield `${isFirst ? '' : ','}\n${texts.join(',\n')}`;
    isFirst = false;
  }
  yield ']}';
}

function objectOf(columns: readonly Column[], row: Row): Record<string, unknown> {
  return Object.fromEntries(columns.map(({ key }, index) => [key, row[index] ?? null]));
}
