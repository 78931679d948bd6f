/** Parses CSV text according to RFC 4180, to check the loader independently: rows as objects by column name, with empty
 *  values, `NULL` and `null` as null. */
export function readCsv(text: string): Record<string, string | null>[] {
  const [header = [], ...rows] = csvCells(text.replace(/^\uFEFF/, ''));
  return rows.map((cells) =>
    Object.fromEntries(header.map((name, at) => [name.trim(), isNothing(cells[at]) ? null : (cells[at] ?? null)])),
  );
}

function isNothing(cell: string | undefined): boolean {
  return cell === undefined || cell === '' || cell.toLowerCase() === 'null';
}

/** The cells of each line of CSV text, including the header. */
export function csvCells(text: string): string[][] {
  const rows: string[][] = [];
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n|\n|\r|$)/y;
  let row: string[] = [];
  while (cell.lastIndex < text.length) {
    const [, value = '', end] = cell.exec(text) ?? [];
    if (end === undefined) throw new Error(`Not CSV at character ${cell.lastIndex}`);
    row.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value);
    if (end === ',') continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  return rows;
}
