import {
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  type GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql';
import type { CsvTable } from '../../graph/rest.ts';
import { csvText, inertCell, type CsvLayout } from '../../kit/text/spreadsheet.ts';
import type { Operation } from './sofa/operations.ts';

/** A column: its name and the path to its value within a row. */
interface Column {
  readonly header: string;
  readonly path: readonly string[];
}

/** Converts a response to CSV. */
export interface CsvForm {
  /** @param json the REST response
   *  @returns RFC 4180 text with a header, the number of rows, and the number of the next page, if any */
  write(json: string, layout: CsvLayout): { text: string; rows: number; nextPage: number | null };
}

/** The CSV form of a route that has one. Nested objects become columns `parent_child`, lists and free-form objects a
 *  JSON cell; a row without a currency gets the response's, so that no amount lacks one.
 *  @throws {Error} if the route does not name a list of objects */
export function csvFormOf(operation: Operation): CsvForm | null {
  const { csv: key, csvTable } = operation.route;
  if (key === undefined) return null;
  if (csvTable) return { write: (json, layout) => tableText(csvTable(JSON.parse(json), layout)) };
  const answer = getNullableType(operation.field.type);
  const list = isObjectType(answer) ? answer.getFields()[key]?.type : undefined;
  const row = list && isListType(getNullableType(list)) ? getNamedType(list) : undefined;
  if (!isObjectType(answer) || !isObjectType(row))
    throw new Error(`${operation.name}: ${key} is no list of objects, so it has no CSV`);
  const columns = columnsOf(row, [], new Set());
  const hasOwnCurrency = columns.some((column) => column.header === 'currency');
  const borrowed = hasOwnCurrency || !answer.getFields()['currency'] ? [] : ['currency'];
  const header = [...columns.map((column) => column.header), ...borrowed];
  return {
    write(json) {
      const value: unknown = JSON.parse(json);
      const rows = listAt(value, key).map((item) => [
        ...columns.map((column) => cell(valueAt(item, column.path))),
        ...borrowed.map((name) => cell(valueAt(value, [name]))),
      ]);
      const text = csvText([header, ...rows]);
      return { text, rows: rows.length, nextPage: nextPageOf(value) };
    },
  };
}

/** The header is escaped, too: it may contain group names. */
function tableText(lines: ReturnType<CsvTable>): ReturnType<CsvForm['write']> {
  const inert = lines.map((line) => line.map((value) => (typeof value === 'string' ? inertCell(value) : value)));
  return { text: csvText(inert), rows: lines.length - 1, nextPage: null };
}

function nextPageOf(answer: unknown): number | null {
  const [page, last] = [valueAt(answer, ['pagination', 'page']), valueAt(answer, ['pagination', 'total_pages'])];
  return typeof page === 'number' && typeof last === 'number' && page < last ? page + 1 : null;
}

function columnsOf(type: GraphQLObjectType, path: readonly string[], above: ReadonlySet<GraphQLObjectType>): Column[] {
  return Object.values(type.getFields()).flatMap((field) => {
    const here = [...path, field.name];
    const nested = nestedObject(field.type);
    if (nested && !above.has(nested)) return columnsOf(nested, here, new Set([...above, type]));
    return [{ header: here.join('_'), path: here }];
  });
}

function nestedObject(type: GraphQLOutputType): GraphQLObjectType | null {
  const bare = getNullableType(type);
  return isObjectType(bare) ? bare : null;
}

function listAt(value: unknown, key: string): readonly unknown[] {
  const found = valueAt(value, [key]);
  return Array.isArray(found) ? found : [];
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    value,
  );
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return inertCell(value);
  return JSON.stringify(value);
}
