import { z } from 'zod';
import { arg, fix, invalid } from '../../kit/errors/errors.ts';
import { parseCsv, type CsvRecord } from '../../kit/text/csv-parse.ts';
import { textOfCell } from '../../kit/text/spreadsheet.ts';
import { parseValues, type ValueInput } from './values.ts';

const labelPrefix = 'label:';
/** Maximum number of columns: enough for all labels that occur in practice, as a value has at most ten of them. */
const mostColumns = 1000;
const columnsText = 'the columns date, value and label:NAME for each label, separated by commas';

/** Reads values from CSV with the columns `date`, `value` and one `label:NAME` per label; an empty cell of a label means that the
 *  value does not have it.
 *  @throws {AppError} VALIDATION_ERROR naming the line */
export function readValuesCsv(text: string): ValueInput[] {
  const records = parseCsv(text);
  if (records === null)
    throw invalid`The CSV has an unclosed quote, or text after a closing quote${fix}double the quotes inside cells`;
  const [header, ...rows] = records;
  if (header === undefined) throw invalid`The CSV is empty${fix}send ${columnsText}`;
  const columns = header.cells.map((name) => textOfCell(name.trim()));
  checkHeader(columns);
  const inputs = rows.map((row) => inputOf(row, columns));
  // Also checked by the use case, but without line numbers.
  const line = (index: number) => `line ${rows[index]?.line}`;
  parseValues(inputs, (index, field) => `${field} in ${line(index)}`, line);
  return inputs;
}

function checkHeader(columns: readonly string[]): void {
  if (columns.length > mostColumns)
    throw invalid`${arg('header')} has ${columns.length} columns; at most ${mostColumns} are allowed`;
  for (const [index, name] of columns.entries()) {
    const isKnown = name === 'date' || name === 'value' || /^label:[^\s:]/u.test(name);
    if (!isKnown) throw invalid`${arg('header', name)} is not a column of values${fix}send ${columnsText}`;
    if (columns.indexOf(name) < index) throw invalid`${arg('header', name)} appears twice${fix}send each column once`;
  }
  for (const name of ['date', 'value'])
    if (!columns.includes(name)) throw invalid`${arg('header')} lacks the column ${name}${fix}send ${columnsText}`;
}

function inputOf({ line, cells }: CsvRecord, columns: readonly string[]): ValueInput {
  if (cells.length !== columns.length)
    throw invalid`${arg(`line ${line}`)} must have ${columns.length} cells, like the header, not ${cells.length}${fix}quote cells that contain a comma`;
  const cellOf = (name: string) => cells[columns.indexOf(name)] ?? '';
  const labels = columns.flatMap((name, index) => {
    const text = textOfCell(cells[index] ?? '');
    return name.startsWith(labelPrefix) && text !== '' ? [[name.slice(labelPrefix.length), text]] : [];
  });
  const date = cellOf('date').trim();
  return { date, value: numberOf(cellOf('value').trim(), line), labels: Object.fromEntries(labels) };
}

/** Accepts plain decimals only, with digits that a JSON number keeps: longer ones would be changed silently. */
function numberOf(text: string, line: number): number {
  if (!/^-?\d+(\.\d+)?$/.test(text))
    throw invalid`${arg(`value in line ${line}`, text)} is not a decimal number${fix}write digits with a point, such as 1204.5`;
  if (
    text
      .replace(/^-?0*\.?0*/, '')
      .replace('.', '')
      .replace(/0+$/, '').length > 15
  )
    throw invalid`${arg(`value in line ${line}`, text)} must have at most 15 significant digits${fix}round it`;
  return Number(text);
}

const page = z.object({
  data: z.array(z.object({ date: z.string(), value: z.number(), labels: z.record(z.string(), z.string()) })),
});

/** Formats a page of values as CSV that `readValuesCsv` reads. */
export function valuesCsv(json: unknown): (string | number)[][] {
  const { data } = page.parse(json);
  const names = [...new Set(data.flatMap(({ labels }) => Object.keys(labels)))].sort();
  const header = ['date', 'value', ...names.map((name) => `${labelPrefix}${name}`)];
  return [header, ...data.map(({ date, value, labels }) => [date, value, ...names.map((name) => labels[name] ?? '')])];
}
