import type { Request } from 'express';
import { Response } from 'fets';
import {
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  type GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql';
import { z } from 'zod';
import { actorOf, type Context } from '../../graph/context.ts';
import type { CsvTable, RestRoute } from '../../graph/rest.ts';
import { arg, invalid } from '../../kit/errors/errors.ts';
import { csvLayouts, csvText, inertCell, type CsvLayout } from '../../kit/text/spreadsheet.ts';
import { resourceTypeOf } from '../../tenancy/audit/actions.ts';
import { writeAudit } from '../../tenancy/audit/store.ts';
import { oneOf, type Query } from './input/query.ts';
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
 *  JSON cell, empty lists an empty one; a row without a currency gets the response's, so that no amount lacks one, and also the
 *  costs that its figures exclude.
 *  @throws {Error} if the route does not name a list of objects */
export function csvFormOf(operation: Operation): CsvForm | null {
  const { csv: key, csvTable } = operation.route;
  if (key === undefined) return null;
  if (csvTable)
    return {
      write(json, layout) {
        const value: unknown = JSON.parse(json);
        return { ...tableText(withExcluded(csvTable(value, layout), value)), nextPage: nextPageOf(value) };
      },
    };
  const answer = getNullableType(operation.field.type);
  const list = isObjectType(answer) ? answer.getFields()[key]?.type : undefined;
  const row = list && isListType(getNullableType(list)) ? getNamedType(list) : undefined;
  if (!isObjectType(answer) || !isObjectType(row))
    throw new Error(`${operation.name}: ${key} is not a list of objects, so it has no CSV`);
  const columns = columnsOf(row, [], new Set());
  const borrowed = [...exclusions, 'currency'].filter(
    (name) => name in answer.getFields() && !columns.some((column) => column.header === name),
  );
  const header = [...columns.map((column) => column.header), ...borrowed];
  return {
    write(json) {
      const value: unknown = JSON.parse(json);
      const rows = listAt(value, key).map((item) => [
        ...columns.map((column) => cell(valueAt(item, column.path))),
        ...borrowed.map((name) => cell(valueAt(value, [name]))),
      ]);
      const text = csvText([header, ...rows, ...loneRow(rows, header, value)]);
      return { text, rows: rows.length, nextPage: nextPageOf(value) };
    },
  };
}

type Cells = ReturnType<CsvTable>[number];

/** Fields of a response that list the costs that its figures exclude. */
const exclusions = ['unconverted', 'missing_bills'];

/** Returns a row with the excluded costs of a response without other rows, which would hide them. */
function loneRow(rows: readonly unknown[], header: Cells, value: unknown): Cells[] {
  const shown = exclusions.filter((name) => header.includes(name) && listAt(value, name).length > 0);
  if (rows.length > 0 || shown.length === 0) return [];
  return [header.map((name) => (exclusions.some((one) => one === name) ? cell(listAt(value, String(name))) : null))];
}

/** Adds the excluded costs of a response to each row, before the currency. */
function withExcluded([header = [], ...rows]: ReturnType<CsvTable>, value: unknown): Cells[] {
  const names = exclusions.filter((name) => Array.isArray(valueAt(value, [name])));
  const added = (row: Cells, more: Cells) => [...row.slice(0, -1), ...more, ...row.slice(-1)];
  const head = added(header, names);
  const cells = names.map((name) => cell(listAt(value, name)));
  return [head, ...rows.map((row) => added(row, cells)), ...loneRow(rows, head, value)];
}

/** The header is escaped, too: it may contain group names. */
function tableText(lines: ReturnType<CsvTable>): { text: string; rows: number } {
  const inert = lines.map((line) => line.map((value) => (typeof value === 'string' ? inertCell(value) : value)));
  return { text: csvText(inert), rows: lines.length - 1 };
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
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return '';
  if (typeof value === 'string') return inertCell(value);
  const text = JSON.stringify(value);
  return typeof value === 'object' ? inertCell(text) : text;
}

/** Subject of a CSV response. */
export interface Asked {
  readonly req: Request;
  readonly ctx: Context;
  readonly args: Readonly<Record<string, unknown>>;
  readonly layout: CsvLayout;
}

/** The request's arguments as received: JSON. */
const jsonArgs = z.record(z.string(), z.json());

/** Resource type of an export in the audit log: the first segment of its path. */
export function exportedType({ path }: Pick<RestRoute, 'path'>): ReturnType<typeof resourceTypeOf> {
  return resourceTypeOf(path.split('/')[1] ?? '');
}

/** Data is sent only after the audit log has recorded it. */
export async function csvResponse(form: CsvForm, json: string, operation: Operation, asked: Asked): Promise<Response> {
  const { req, ctx, args, layout } = asked;
  const { text, rows, nextPage } = form.write(json, layout);
  const resourceType = exportedType(operation.route);
  const details = { operation: operation.name, format: 'csv', rows, parameters: jsonArgs.parse(args) };
  await writeAudit(ctx.deps.db, actorOf(ctx), { action: 'data_exported', resourceType, details });
  const file = operation.route.path
    .split('/')
    .filter((part) => part !== '' && !part.startsWith('{'))
    .join('-');
  const headers = new Headers({
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${file}.csv"`,
  });
  if (nextPage !== null) headers.set('Link', `<${withPage(req, nextPage)}>; rel="next"`);
  return new Response(text, { headers });
}

/** Removes `layout` from the query of a route with CSV layouts: it is not an argument of the field.
 *  @throws {AppError} VALIDATION_ERROR for an unknown layout */
export function takeLayout({ csvLayouts: hasLayouts }: RestRoute, query: Query): { layout: CsvLayout; query: Query } {
  if (!hasLayouts) return { layout: 'long', query };
  const { layout: given = [], ...others } = Object.fromEntries(query);
  const text = oneOf(given, 'layout') ?? 'long';
  const layout = csvLayouts.find((known) => known === text);
  if (!layout) throw invalid`${arg('layout', text)} must be ${csvLayouts.join(' or ')}`;
  return { layout, query: new Map(Object.entries(others)) };
}

/** CSV has no place for pagination, so the next page is in a Link header (RFC 8288). */
function withPage(req: Request, page: number): string {
  const url = new URL(req.originalUrl, 'http://localhost');
  url.searchParams.set('page', String(page));
  return `${url.pathname}${url.search}`;
}

/** JSON is the default, unless the client prefers CSV. */
export function prefersCsv(req: Request): boolean {
  return req.accepts(['application/json', 'text/csv']) === 'text/csv';
}
