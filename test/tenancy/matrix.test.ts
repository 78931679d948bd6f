import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  type GraphQLField,
  type GraphQLInputType,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statusOf, type ErrorCode } from '../../src/kit/errors/errors.ts';
import { inputName, inputOf } from '../../src/surfaces/http/input.ts';
import { restApiOf } from '../../src/surfaces/rest/api.ts';
import type { Operation } from '../../src/surfaces/rest/sofa/operations.ts';
import { camelOf, snakeOf } from '../../src/kit/text/case.ts';
import { buildSchema } from '../../src/surfaces/schema.ts';
import { aLine, writeFocus } from '../support/focus.ts';
import { worldOfFile } from '../support/world.ts';
import { requests } from './matrix/requests.ts';
import { aStage, callers, type Caller, type Stage } from './matrix/stage.ts';
import { table } from './matrix/table.ts';

const focusRoot = mkdtempSync(path.join(tmpdir(), 'costkeep-matrix-'));
beforeAll(() => writeFocus(path.join(focusRoot, 'may/a.csv'), [aLine()]));
afterAll(() => rmSync(focusRoot, { recursive: true, force: true }));

const at = worldOfFile({ config: { focusRoot } });
const schema = buildSchema();
const { operations, document } = restApiOf(schema);

interface Row {
  readonly name: string;
  readonly operation: Operation | undefined;
  /** Per caller: a status, or the short form of an error code. */
  readonly expected: Readonly<Record<Caller, string>>;
}

/** The lines of the table. The name of a row precedes its first status. */
const rows: readonly Row[] = table
  .trim()
  .split('\n')
  .filter((line) => !line.startsWith('#'))
  .map((line) => {
    const words = line.trim().split(/\s+/);
    const cells = words.splice(-callers.length);
    const expected = Object.fromEntries(callers.map((caller, index) => [caller, cells[index] ?? '']));
    return {
      name: words.join(' '),
      operation: operations.find(({ name }) => name === words[0]),
      expected: expected as Row['expected'],
    };
  });

/** The meaning of a cell: the REST status, and the error code if it is an error. */
function outcomeOf(cell: string): { status: number; code: ErrorCode | null } {
  if (cell === 'setup') return { status: 403, code: 'TWO_FACTOR_SETUP_REQUIRED' };
  if (cell === '404b') return { status: 404, code: 'BUDGET_NOT_FOUND' };
  const status = Number(cell);
  if (status < 400) return { status, code: null };
  const codes: readonly ErrorCode[] = ['VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'];
  return { status, code: codes.find((code) => statusOf[code] === status) ?? null };
}

/** Routes that are not operations. */
const plainPaths: Readonly<Record<string, string>> = {
  downloadReport: '/reports/{id}/download',
  exportCosts: '/costs/export?format=focus_csv',
  uploadAccountFile: '/accounts/{id}/files?name=a.csv',
};

/** Body of a route that takes a file. */
const raw = 'a file';

/** A value with its field names in snake case, as in REST. */
function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [snakeOf(name), inSnakeCase(inner)]));
}

const reading = new Map<string, Promise<Stage>>();

/** The organization of the caller. Reads of one API share an organization, because they change nothing. */
function stageFor(row: Row, caller: Caller, api: 'REST' | 'GraphQL'): Promise<Stage> {
  if (row.operation?.kind !== 'query') return aStage(at().deps, caller);
  const stage = reading.get(`${api} ${caller}`) ?? aStage(at().deps, caller);
  reading.set(`${api} ${caller}`, stage);
  return stage;
}

async function byRest(row: Row, caller: Caller) {
  const stage = await stageFor(row, caller, 'REST');
  const args = await requests[row.name]?.(stage);
  const isUpload = row.name.startsWith('uploadAccountFile');
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  let url: string = row.operation?.route.path ?? plainPaths[row.name.split(' ', 1)[0] ?? ''] ?? '/docs';
  if (!row.operation) url = url.replace('{id}', String(args?.['id']));
  for (const { name, place } of row.operation?.parameters ?? []) {
    const value = args?.[camelOf(name)];
    if (value === undefined) continue;
    if (place === 'path') url = url.replace(`{${name}}`, String(value));
    else if (place === 'query') query.set(name, String(value));
    else body[name] = inSnakeCase(value);
  }
  const listBody = row.operation?.route.listBody;
  const answer = await at().rest<{ error?: { code: ErrorCode; status: number } }>(
    row.operation?.route.method ?? (isUpload ? 'POST' : 'GET'),
    query.size > 0 ? `${url}?${query}` : url,
    {
      ...(stage.bearer !== null && { token: stage.bearer }),
      ...(Object.keys(body).length > 0 && { body: listBody ? body[listBody.argument] : body }),
      ...(isUpload && { raw }),
    },
  );
  return { status: answer.status, code: answer.body?.error?.code ?? null };
}

/** Maps GraphQL's 200 to the 2xx status of REST. */
async function byGraphQL(row: Row, caller: Caller, { kind, name, route }: Operation) {
  const stage = await stageFor(row, caller, 'GraphQL');
  const args = (await requests[row.name]?.(stage)) ?? {};
  const field = (kind === 'query' ? schema.getQueryType() : schema.getMutationType())?.getFields()[name];
  if (!field) throw new Error(`${name} is not a root field`);
  const { text, variables } = documentOf(kind, field, args);
  const { status, body } = await at().gql(text, variables, stage.bearer ?? undefined);
  const [error] = body.errors ?? [];
  if (error) return { status: error.extensions.status === status ? status : -1, code: error.extensions.code };
  return { status: status === 200 ? route.status : status, code: null };
}

function documentOf(kind: string, field: GraphQLField<unknown, unknown>, args: Record<string, unknown>) {
  const given = field.args.filter(({ name }) => name in args || name === inputName);
  const definitions = given.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const passed = given.map(({ name }) => `${name}: $${name}`).join(', ');
  const selection = isCompositeType(getNamedType(field.type)) ? ' { __typename }' : '';
  const listed =
    given.length > 0 ? { definitions: ` (${definitions})`, passed: `(${passed})` } : { definitions: '', passed: '' };
  // The table has input fields as arguments.
  const inInput = Object.values(inputOf(field)?.getFields() ?? {}).filter(({ name }) => name in args);
  const input = Object.fromEntries(inInput.map(({ name, type }) => [name, spelled(type, args[name])]));
  const variables = given.map(({ name, type }) => [name, name === inputName ? input : spelled(type, args[name])]);
  return {
    text: `${kind}${listed.definitions} { ${field.name}${listed.passed}${selection} }`,
    variables: Object.fromEntries(variables) as object,
  };
}

/** Converts a REST value to GraphQL. */
function spelled(type: GraphQLInputType, value: unknown): unknown {
  const named = getNamedType(type);
  if (Array.isArray(value)) return value.map((each) => spelled(named, each));
  if (isEnumType(named)) return String(value).toUpperCase();
  if (named.name === 'DashboardWidgetInput' && isInputObjectType(named))
    return Object.fromEntries(
      Object.entries(Object(value) as object).map(([name, inner]) => [
        name,
        spelled(named.getFields()[name]?.type ?? named, inner),
      ]),
    );
  // REST writes a dimension as one word.
  return named.name === 'CostDimensionInput' ? { dimension: String(value).toUpperCase() } : value;
}

describe('the permission table', () => {
  it('has a row for every REST route and every GraphQL root field, and a request for every row', () => {
    const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((root) =>
      Object.keys(root?.getFields() ?? {}),
    );
    const routes = Object.values(document.paths).flatMap((item) => Object.values(item).map(operationIdOf));
    const named = new Set(rows.map(({ name }) => name.split(' ', 1)[0] ?? ''));
    expect([...new Set([...roots, ...routes])].filter((name) => !named.has(name))).toEqual([]);
    expect(rows.map(({ name }) => name).filter((name) => !requests[name] && name !== 'openApiDocument')).toEqual([]);
    expect([...named].filter((name) => ![...roots, ...routes].includes(name))).toEqual([]);
  });
});

const expectedOf = ({ expected }: Row) =>
  Object.fromEntries(callers.map((caller) => [caller, outcomeOf(expected[caller])]));

describe('REST', () => {
  it.each(rows)('answers each caller of $name as in the table', async (row) => {
    expect(await all((caller) => byRest(row, caller))).toEqual(expectedOf(row));
  });
});

describe('GraphQL', () => {
  // The OpenAPI document has no root field.
  const fields = rows.flatMap((row) => (row.operation ? [{ ...row, operation: row.operation }] : []));

  it.each(fields)('answers each caller of $name as in the table', async (row) => {
    expect(await all((caller) => byGraphQL(row, caller, row.operation))).toEqual(expectedOf(row));
  });
});

function operationIdOf(described: unknown): string {
  return typeof described === 'object' && described !== null && 'operationId' in described
    ? String(described.operationId)
    : 'an operation without an id';
}

async function all<T>(ask: (caller: Caller) => Promise<T>): Promise<Record<string, T>> {
  const answers: [Caller, T][] = [];
  for (const caller of callers) answers.push([caller, await ask(caller)]);
  return Object.fromEntries(answers);
}
