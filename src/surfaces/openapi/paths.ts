import { getNullableType, isListType } from 'graphql';
import { statusOf } from '../../kit/errors.ts';
import type { Operation } from '../rest/operations.ts';
import { takesBody } from '../rest/route.ts';
import type { Parameter } from '../rest/variables.ts';
import { commonHeaders, errorReference } from './responses.ts';
import { answerSchema, fieldsSchema, inputFieldSchema, isJson, restWords, type Json } from './schemas.ts';

/** The path items of every operation. */
export function pathItems(operations: readonly Operation[]): Record<string, Json> {
  const groups = Map.groupBy(operations, (operation) => operation.route.path);
  const items = [...groups].map(([path, methods]): [string, Json] => [
    path,
    Object.fromEntries(methods.map((operation) => [operation.route.method.toLowerCase(), operationObject(operation)])),
  ]);
  return Object.fromEntries(items);
}

/** Every status of errors that an operation can answer with. */
export function errorStatusesOf(operation: Operation): number[] {
  const { route, parameters } = operation;
  const takes = (place: Parameter['place']) => parameters.some((parameter) => parameter.place === place);
  const statuses = [
    400,
    ...(takesBody(route) ? [413, 415] : []),
    // Every member may lack the second factor that the organization requires; and a token may be read-only.
    ...(route.public ? [] : [401, 403]),
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
    description: `${description}\n\nCounts as \`${route.category}\`${route.csv === undefined ? '' : '; as CSV, as `export`'}.`,
    tags: route.tags,
    ...(route.public ? { security: [] } : {}),
    parameters: parameterObjects(operation),
    ...requestBody(operation),
    responses: {
      [route.status]: successResponse(operation),
      ...(route.etag
        ? { 304: { description: 'The client’s copy is still good.', headers: { ...commonHeaders, ETag: etagHeader } } }
        : {}),
      ...Object.fromEntries(errorStatusesOf(operation).map((status) => [status, errorReference(status)])),
    },
  };
}

const etagHeader = { $ref: '#/components/headers/ETag' };

/** The first sentence. */
function summaryOf(description: string): string {
  return description.split(/(?<=\.)\s/, 1)[0]?.replace(/\.$/, '') ?? '';
}

function parameterObjects({ parameters, route }: Operation): Json[] {
  const own = parameters.filter((parameter) => parameter.place !== 'body').map(parameterObject);
  return route.etag ? [...own, { $ref: '#/components/parameters/IfNoneMatch' }] : own;
}

function parameterObject({ name, place, isRequired, argument }: Parameter): Json {
  const { description, nullable: _nullable, ...schema } = inputFieldSchema(argument);
  const isList = isListType(getNullableType(argument.type));
  return {
    name,
    in: place,
    description: String(description ?? ''),
    ...(place === 'path' || isRequired ? { required: true } : {}),
    // A text cannot be null, so a parameter that may be left out is not nullable.
    schema: withoutNull(schema),
    ...(isList && place === 'query' ? { style: 'form', explode: false } : {}),
  };
}

function withoutNull(schema: Json): Json {
  const { allOf, anyOf, ...rest } = schema;
  const only: unknown = [allOf, anyOf].flat().find((part) => part !== undefined);
  if (!isJson(only)) return schema;
  return Object.keys(rest).length === 0 ? only : { allOf: [only], ...rest };
}

function requestBody({ parameters, route }: Operation): Json {
  const body = parameters.filter((parameter) => parameter.place === 'body');
  if (body.length === 0) return {};
  const isRequired = route.method === 'PATCH' || body.some((parameter) => parameter.isRequired);
  const least = route.method === 'PATCH' ? { minProperties: 1 } : {};
  const schema = { ...fieldsSchema(body.map((parameter) => parameter.argument)), ...least };
  return { requestBody: { required: isRequired, content: { 'application/json': { schema } } } };
}

function successResponse({ route, field }: Operation): Json {
  const headers = { ...commonHeaders, ...(route.etag ? { ETag: etagHeader } : {}) };
  if (route.status === 204) return { description: 'Done.', headers };
  const csv =
    route.csv === undefined ? {} : { 'text/csv': { schema: { type: 'string', description: csvText(route) } } };
  const descriptions = { 200: 'The answer.', 201: 'Created.', 202: 'Accepted; watch what is answered.' };
  return {
    description: descriptions[route.status],
    headers,
    content: { 'application/json': { schema: answerSchema(field.type) }, ...csv },
  };
}

function csvText({ csv: key, csvTable }: Operation['route']): string {
  if (csvTable) return `The items of \`${key}\`, with a header (RFC 4180): a line for each, or for each item and date.`;
  return `The items of \`${key}\`, one a row, with a header (RFC 4180). Nested objects are columns \`parent_child\`. Of a page that others follow, \`Link\` names the next.`;
}
