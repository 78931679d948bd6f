import { expect, it } from 'vitest';
import { restApiOf } from '../../../src/surfaces/rest/api.ts';
import { buildSchema } from '../../../src/surfaces/schema.ts';
import { isJson, type Json } from './arbitrary.ts';

const document: Json = { ...restApiOf(buildSchema()).document };

const partsOf = (value: unknown): Json[] => (isJson(value) ? Object.values(value).filter(isJson) : []);
const listed = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isJson) : []);

/** Keywords of which a schema needs at least one. A 32-bit integer needs both ends, too: clients show them. */
const needed: Readonly<Record<string, (schema: Json) => boolean>> = {
  string: (schema) => ['enum', 'format', 'maxLength', 'pattern'].some((key) => key in schema),
  array: (schema) => 'maxItems' in schema,
  integer: (schema) => 'minimum' in schema && 'maximum' in schema,
  number: (schema) => 'minimum' in schema && 'maximum' in schema,
};

/** The locations at which a schema, or one it references, accepts unbounded values. */
function unbounded(schema: unknown, at: string, seen: Set<string>): string[] {
  if (!isJson(schema)) return [];
  const { $ref, type, items } = schema;
  if (typeof $ref === 'string') {
    const name = $ref.split('/').at(-1) ?? '';
    // JSON values are bounded by the size of the body.
    if (seen.has(name) || name === 'JsonValue') return [];
    seen.add(name);
    return unbounded(Object(document['components']).schemas[name], name, seen);
  }
  const own = needed[String(type)]?.(schema) === false ? [at] : [];
  const alternatives = [...listed(schema['allOf']), ...listed(schema['anyOf'])];
  const properties = isJson(schema['properties']) ? Object.entries(schema['properties']) : [];
  return [
    ...own,
    ...alternatives.flatMap((part) => unbounded(part, at, seen)),
    ...unbounded(items, `${at}[]`, seen),
    ...properties.flatMap(([name, part]) => unbounded(part, `${at}.${name}`, seen)),
  ];
}

it('bounds every text, list and number in requests', () => {
  const seen = new Set<string>();
  const operations = partsOf(document['paths']).flatMap(partsOf);
  expect(operations.length).toBeGreaterThan(100);
  const found = operations.flatMap(({ operationId, parameters, requestBody }) => [
    ...listed(parameters).flatMap(({ name, schema }) =>
      unbounded(schema, `${String(operationId)} ${String(name)}`, seen),
    ),
    ...unbounded(Object(requestBody).content?.['application/json']?.schema, String(operationId), seen),
  ]);
  expect(found).toEqual([]);
  expect(seen.size).toBeGreaterThan(50);
});
