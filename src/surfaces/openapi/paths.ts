import { getNullableType, isListType } from 'graphql';
import { statusOf } from '../../kit/errors/errors.ts';
import { filledRule } from '../../kit/errors/refusals.ts';
import { csvLayouts } from '../../kit/text/spreadsheet.ts';
import { csvFormOf } from '../rest/csv.ts';
import { maxBodyBytes } from '../rest/input/body.ts';
import type { Operation } from '../rest/sofa/operations.ts';
import type { Parameter } from '../rest/input/variables.ts';
import { refusesBlank } from '../http/arguments.ts';
import recorded from './examples.json' with { type: 'json' };
import { commonHeaders, csvHeaders, errorReferences } from './responses.ts';
import { answerSchema, fieldsSchema, inputFieldSchema, isJson, restWords, type Json } from './schemas.ts';

/** A recorded call of an operation on the demo, with ids, days and secrets replaced; written by `npm run examples`. */
interface Example {
  readonly request: {
    readonly path?: Json;
    readonly query?: Json;
    readonly body?: unknown;
  };
  /** A value for each optional query parameter not used in the request. All can be combined in one request. */
  readonly parameters?: Json;
  /** Keyed by status; absent if the operation returns a file or nothing. */
  readonly answers: Json;
  /** Text of the returned file, keyed by media type. */
  readonly files?: Json;
}

const examples: Readonly<Record<string, Example | undefined>> = recorded;

/** The body schemas of all operations with a body, by name. */
export function requestSchemas(operations: readonly Operation[]): Record<string, Json> {
  const named = operations.flatMap((operation): [string, Json][] => {
    const schema = bodySchema(operation);
    return schema ? [[bodyName(operation), schema]] : [];
  });
  return Object.fromEntries(named);
}

/** The path items of all operations. */
export function pathItems(operations: readonly Operation[]): Record<string, Json> {
  const groups = Map.groupBy(operations, (operation) => operation.route.path);
  const items = [...groups].map(([path, methods]): [string, Json] => [
    path,
    Object.fromEntries(methods.map((operation) => [operation.route.method.toLowerCase(), operationObject(operation)])),
  ]);
  return Object.fromEntries(items);
}

/** All error statuses that an operation can return. */
export function errorStatusesOf(operation: Operation): number[] {
  const { route, parameters } = operation;
  const takes = (place: Parameter['place']) => parameters.some((parameter) => parameter.place === place);
  const statuses = [
    400,
    ...(takes('body') ? [413, 415] : []),
    ...(route.public ? [] : [401]),
    // Any member may lack the required second factor, and any token may be read-only, even one that is not needed.
    ...(route.public && route.method === 'GET' ? [] : [403]),
    ...(takes('path') ? [404] : []),
    ...(route.errors ?? []).map((code) => statusOf[code]),
    429,
    500,
    503,
  ];
  return [...new Set(statuses)].sort((a, b) => a - b);
}

function operationObject(operation: Operation): Json {
  const { name, route, field } = operation;
  const description = restWords(field.description);
  return {
    operationId: name,
    summary: summaryOf(description),
    description: `${description}\n\nRate limit: \`${route.category}\`${route.csv === undefined ? '' : ', as CSV `export`'}.`,
    tags: route.tags,
    ...securityOf(operation),
    parameters: parameterObjects(operation),
    ...requestBody(operation),
    responses: {
      [route.status]: successResponse(operation),
      ...(route.createsWith === undefined ? {} : { 201: successResponse(operation, 201) }),
      ...(route.etag
        ? { 304: { description: 'The cached copy is still valid.', headers: { ...commonHeaders, ETag: etagHeader } } }
        : {}),
      ...errorReferences(errorStatusesOf(operation)),
    },
  };
}

const etagHeader = { $ref: '#/components/headers/ETag' };

/** The first sentence of a description. */
function summaryOf(description: string): string {
  return description.split(/(?<=\.)\s/, 1)[0]?.replace(/\.$/, '') ?? '';
}

function parameterObjects({ name, parameters, route }: Operation): Json[] {
  const own = parameters.filter((parameter) => parameter.place !== 'body').map(parameterObject);
  const layout = route.csvLayouts ? [layoutParameter] : [];
  const etag = route.etag ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : [];
  return [...withExamples(name, [...own, ...layout]), ...etag];
}

/** The recorded file of this media type, as an example. */
export function fileExample(operationId: string, mediaType: string): { example?: unknown } {
  const example = examples[operationId]?.files?.[mediaType];
  return example === undefined ? {} : { example };
}

/** Adds the recorded examples to the parameters of an operation. */
export function withExamples(operationId: string, parameters: readonly Json[]): Json[] {
  const { request, parameters: optional } = examples[operationId] ?? {};
  const values: Json = { ...optional, ...request?.query, ...request?.path };
  return parameters.map((parameter) => {
    const value = values[String(parameter['name'])];
    if (value === undefined) return parameter;
    const isList = isJson(parameter['schema']) && parameter['schema']['type'] === 'array';
    return { ...parameter, example: isList && !Array.isArray(value) ? String(value).split(',') : value };
  });
}

const layoutParameter: Json = {
  name: 'layout',
  in: 'query',
  description:
    'Layout of a grouped series as CSV: `long` has a row per date and group, `wide` a row per date and a column per group.',
  schema: { type: 'string', enum: [...csvLayouts], default: 'long' },
};

function parameterObject({ name, place, isRequired, argument }: Parameter): Json {
  const { description, nullable: _nullable, ...schema } = inputFieldSchema(argument);
  const isList = isListType(getNullableType(argument.type));
  const bare: Json = { ...(isList ? { minItems: 1 } : {}), ...withoutNull(schema) };
  const { items } = bare;
  const filled = isList && isJson(items) ? { ...bare, items: withFilledText(items) } : withFilledText(bare);
  return {
    name,
    in: place,
    description: String(description ?? ''),
    ...(place === 'path' || isRequired ? { required: true } : {}),
    // Text cannot be null, so an optional parameter is not nullable.
    schema: refusesBlank(argument) ? filled : bare,
    ...(isList && place === 'query' ? { style: 'form', explode: false } : {}),
  };
}

/** Blank text in a query is rejected, since it is more often a mistake than intended. */
function withFilledText(schema: Json): Json {
  if (schema['type'] !== 'string') return schema;
  const { minLength, pattern } = filledRule;
  return { minLength, ...schema, ...(schema['format'] === undefined && { pattern: schema['pattern'] ?? pattern }) };
}

function withoutNull(schema: Json): Json {
  const { allOf, anyOf, ...rest } = schema;
  const only: unknown = [allOf, anyOf].flat().find((part) => part !== undefined);
  if (!isJson(only)) return schema;
  return Object.keys(rest).length === 0 ? only : { allOf: [only], ...rest };
}

function requestBody(operation: Operation): Json {
  const { parameters, route } = operation;
  if (!bodySchema(operation)) return {};
  const isRequired =
    route.method === 'PATCH' || parameters.some(({ place, isRequired: needed }) => place === 'body' && needed);
  const schema = { $ref: `#/components/schemas/${bodyName(operation)}` };
  const example = examples[operation.name]?.request.body;
  const content = { schema, ...(example === undefined ? {} : { example }) };
  const csv = route.listBody ? { 'text/csv': { schema: { type: 'string', maxLength: maxBodyBytes } } } : {};
  return { requestBody: { required: isRequired, content: { 'application/json': content, ...csv } } };
}

/** The schema of an operation's body; null if it takes none. */
function bodySchema({ parameters, route, name }: Operation): Json | null {
  const body = parameters.filter((parameter) => parameter.place === 'body');
  if (body.length === 0) return null;
  const least = route.method === 'PATCH' ? { minProperties: 1 } : {};
  const description = `Request body of \`${name}\`.`;
  const list = body.find((parameter) => parameter.name === route.listBody?.argument);
  if (list) return { ...inputFieldSchema(list.argument), description };
  return { description, ...fieldsSchema(body.map((parameter) => parameter.argument)), ...least };
}

function bodyName({ name }: Operation): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Request`;
}

/** The security of an operation, if it differs from the document's default. */
function securityOf({ route, field }: Operation): Json {
  if (route.refreshCookie) return { security: [{ refreshCookie: [] }, {}] };
  if (route.public) return { security: [] };
  return isInteractive(field) ? { security: [{ accessToken: [] }] } : {};
}

/** Whether API tokens are rejected. */
function isInteractive({ extensions }: Operation['field']): boolean {
  const options = extensions['pothosOptions'];
  const scopes = isJson(options) ? options['authScopes'] : undefined;
  return isJson(scopes) && scopes['interactive'] === true;
}

function successResponse(operation: Operation, status = operation.route.status): Json {
  const { name, route, field } = operation;
  const headers = {
    ...commonHeaders,
    ...(route.etag ? { ETag: etagHeader } : {}),
    ...(route.csv === undefined ? {} : csvHeaders),
  };
  if (status === 204) return { description: 'Success, without a body.', headers };
  const answer = examples[name]?.answers[status];
  const descriptions = { 200: 'Success.', 201: 'Created.', 202: 'Accepted: the work continues in the background.' };
  return {
    description: descriptions[status],
    headers,
    content: {
      'application/json': { schema: answerSchema(field.type), ...(answer === undefined ? {} : { example: answer }) },
      ...csvContent(operation, answer),
    },
  };
}

/** The CSV representation, if there is one. Its example is converted from the JSON example by the server's own code. */
function csvContent(operation: Operation, answer: unknown): Json {
  const form = csvFormOf(operation);
  if (!form) return {};
  const example = answer === undefined ? {} : { example: form.write(JSON.stringify(answer), 'long').text };
  return { 'text/csv': { schema: { type: 'string', description: csvText(operation.route) }, ...example } };
}

function csvText({ csv: key, csvTable }: Operation['route']): string {
  if (csvTable) return `The items of \`${key}\` as CSV with a header (RFC 4180): a row per item, or per item and date.`;
  return `The items of \`${key}\` as CSV with a header (RFC 4180), one per row. Nested objects become columns \`parent_child\`. The \`Link\` header has the next page, if there is one.`;
}
