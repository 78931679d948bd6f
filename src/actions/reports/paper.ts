import type { Column, ReportDocument, Row, Section, Value } from './document.ts';
import { formatWord } from './format.ts';

/** The same document for people who read it on paper: without columns that only programs need, and with words as people
 *  write them. */
export function onPaper(document: ReportDocument): ReportDocument {
  return { ...document, sections: document.sections.map(sectionOnPaper) };
}

function sectionOnPaper(section: Section): Section {
  const kept = section.columns.flatMap((column, index) => (column.isDetail ? [] : [{ column, index }]));
  const rowOf = (row: Row): Row => kept.map(({ column, index }) => valueOnPaper(column, row[index] ?? null));
  return {
    ...section,
    columns: kept.map(({ column }) => column),
    rows: rowsOnPaper(section.rows, rowOf),
    totals: section.totals && kept.map(({ index }) => section.totals?.[index] ?? null),
  };
}

async function* rowsOnPaper(rows: AsyncIterable<Row>, rowOf: (row: Row) => Row): AsyncGenerator<Row> {
  for await (const row of rows) yield rowOf(row);
}

function valueOnPaper({ isWord }: Column, value: Value): Value {
  return isWord && typeof value === 'string' ? formatWord(value) : value;
}
