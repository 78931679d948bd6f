import fc from 'fast-check';
import { valuesOf, type Json } from './arbitrary.ts';

/** The parts of a generated request. */
export interface Request {
  readonly path: Json;
  readonly query: Json;
  readonly body: unknown;
}

interface OperationObject {
  readonly operationId: string;
  readonly parameters?: readonly { in?: string; name?: string; required?: boolean; schema?: Json }[];
  readonly requestBody?: { required: boolean; content: Record<string, { schema: Json }> };
}

/** An operation of the document. */
export interface Operation {
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly operation: OperationObject;
}

/** Returns the operations of an OpenAPI document. */
export function operationsOf(document: Json): Operation[] {
  return Object.entries(Object(document['paths']) as Record<string, Record<string, OperationObject>>).flatMap(
    ([path, item]) => Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
}

/** Generates requests that match the document. */
export function requestsOf(document: Json, { parameters = [], requestBody }: OperationObject): fc.Arbitrary<Request> {
  const place = (where: string) => {
    const own = parameters.filter((parameter) => parameter.in === where);
    const values = own.map(({ name = '', schema = {} }) => [name, valuesOf(document, schema)]);
    const requiredKeys = own.filter(({ required }) => required === true).map(({ name = '' }) => name);
    return fc.record(Object.fromEntries(values), { requiredKeys }) as fc.Arbitrary<Json>;
  };
  const schema = requestBody?.content['application/json']?.schema;
  return fc.record({
    path: place('path'),
    query: place('query'),
    body: schema ? valuesOf(document, schema) : fc.constant(undefined),
  });
}

/** Joins a list with commas, as in `style: form` without `explode`. */
function spelled(value: unknown): string {
  const items = Array.isArray(value) ? value : [value];
  return items.map((item) => (Array.isArray(value) ? String(item).replaceAll(',', '\\,') : String(item))).join(',');
}

/** The path and query of a request, encoded. */
export function addressOf(path: string, { path: named, query }: Request): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => encodeURIComponent(spelled(named[name])));
  // An empty list cannot be expressed in a query.
  const given = Object.entries(query).filter(([, value]) => !(Array.isArray(value) && value.length === 0));
  const search = given.map(([name, value]) => `${name}=${encodeURIComponent(spelled(value))}`).join('&');
  return search === '' ? filled : `${filled}?${search}`;
}
