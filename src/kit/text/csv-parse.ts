/** A record of a CSV text. */
export interface CsvRecord {
  /** Line on which it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Parses CSV (RFC 4180), with or without a byte order mark, and with any line endings. Skips empty lines.
 *  @returns null if a quoted cell does not end, or text follows its end */
export function parseCsv(text: string): CsvRecord[] | null {
  const records: CsvRecord[] = [];
  // A cell with its end: a comma, a line ending, or the end of the text.
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\r|\n|$)/gy;
  cell.lastIndex = text.startsWith('\uFEFF') ? 1 : 0;
  let [line, begin] = [1, 1];
  let cells: string[] = [];
  while (cell.lastIndex < text.length || cells.length > 0) {
    const [all, quoted, plain = '', end] = cell.exec(text) ?? [];
    if (all === undefined) return null;
    cells.push(quoted?.replaceAll('""', '"') ?? plain);
    line += lineEnds(all);
    if (end === ',') continue;
    if (cells.length > 1 || cells[0] !== '') records.push({ line: begin, cells });
    [cells, begin] = [[], line];
  }
  return records;
}

function lineEnds(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}
