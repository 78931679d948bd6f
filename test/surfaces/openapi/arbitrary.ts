import fc from 'fast-check';

/** A part of an OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>;

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Resolves a reference in the document. */
function resolve(document: Json, reference: string): Json {
  const found = reference
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (isJson(at) ? at[key] : undefined), document);
  if (!isJson(found)) throw new Error(`The document has no ${reference}`);
  return found;
}

/** Generates values that match a schema of the document, including its bounds. */
export function valuesOf(document: Json, schema: Json): fc.Arbitrary<unknown> {
  const follow = (part: unknown) => valuesOf(document, isJson(part) ? part : {});
  const { $ref, allOf, anyOf, nullable, ...own } = schema;
  if (typeof $ref === 'string') return valuesOf(document, resolve(document, $ref));
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map(follow));
  if (Array.isArray(allOf)) return follow(allOf[0]);
  if (Array.isArray(own['enum'])) return fc.constantFrom(...own['enum']);
  const values = typed(document, own);
  return nullable === true ? fc.option(values, { nil: null, freq: 4 }) : values;
}

function typed(document: Json, schema: Json): fc.Arbitrary<unknown> {
  switch (schema['type']) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer(bounds(schema, -(2 ** 31), 2 ** 31 - 1));
    case 'number':
      return numbers(schema);
    case 'string':
      return texts(schema);
    case 'array':
      return lists(document, schema);
    case 'object':
      return objects(document, schema);
    default:
      throw new Error(`Cannot generate ${JSON.stringify(schema)}`);
  }
}

function numberAt(schema: Json, key: string, otherwise: number): number {
  const value = schema[key];
  return typeof value === 'number' ? value : otherwise;
}

function bounds(schema: Json, min: number, max: number): { min: number; max: number } {
  return { min: numberAt(schema, 'minimum', min), max: numberAt(schema, 'maximum', max) };
}

function numbers(schema: Json): fc.Arbitrary<number> {
  const { min, max } = bounds(schema, -1e15, 1e15);
  const exclusive = {
    minExcluded: schema['exclusiveMinimum'] === true,
    maxExcluded: schema['exclusiveMaximum'] === true,
  };
  const inside = (value: number) =>
    (exclusive.minExcluded ? value > min : value >= min) && (exclusive.maxExcluded ? value < max : value <= max);
  const small = fc.double({ min: Math.max(min, -2000), max: Math.min(max, 2000), noNaN: true });
  return (
    fc
      .oneof(small, fc.double({ min, max, noNaN: true, ...exclusive }))
      // The number of decimals is in descriptions only: with `multipleOf`, validators using binary fractions would reject 0.07.
      .map((value) => Number(value.toFixed(6)))
      .filter(inside)
  );
}

const formats: Readonly<Record<string, () => fc.Arbitrary<string>>> = {
  date: () => instants().map((instant) => instant.toISOString().slice(0, 10)),
  'date-time': () =>
    fc.oneof(
      instants().map((instant) => instant.toISOString()),
      instants().map((instant) => `${instant.toISOString().slice(0, 19)}+02:00`),
    ),
  uuid: () => fc.uuid(),
  email: () => fc.emailAddress(),
  uri: () => fc.webUrl({ validSchemes: ['https'] }),
  regex: () => fc.stringMatching(/^[a-z]{1,8}(-[0-9]{2,4}|\|prod)?$/),
};

function instants(): fc.Arbitrary<Date> {
  return fc.date({ min: new Date('1000-01-01T00:00:00Z'), max: new Date('9990-12-31T00:00:00Z'), noInvalidDate: true });
}

function texts(schema: Json): fc.Arbitrary<string> {
  const minLength = numberAt(schema, 'minLength', 0);
  const maxLength = numberAt(schema, 'maxLength', 200);
  const pattern = typeof schema['pattern'] === 'string' ? new RegExp(schema['pattern'], 'u') : null;
  const fits = (text: string) => {
    const { length } = [...text];
    return length >= minLength && length <= maxLength && (pattern === null || pattern.test(text));
  };
  return textsOfForm(schema, { minLength, maxLength, pattern }).filter(fits);
}

/** fast-check does not support lookaheads; the filter of `texts` applies them. */
const lookahead = /\(\?![^)]*\)/g;

function textsOfForm(
  schema: Json,
  { minLength, maxLength, pattern }: { minLength: number; maxLength: number; pattern: RegExp | null },
): fc.Arbitrary<string> {
  const format = formats[String(schema['format'])];
  if (format) return format();
  // Most patterns only exclude characters; generating from them would produce less varied texts.
  if (pattern && !pattern.source.startsWith('^[^\\u0000'))
    return fc.stringMatching(new RegExp(pattern.source.replaceAll(lookahead, '')));
  const unit = fc.constantFrom('grapheme', 'grapheme-ascii', 'binary');
  const isPassword = schema['format'] === 'password';
  const random = (isPassword ? fc.constant('grapheme-ascii') : unit).chain((kind) =>
    // Typed by the tuple above.
    fc.string({ unit: kind as 'grapheme', minLength, maxLength }),
  );
  // U+0000 is rejected everywhere, as stated in the document's introduction.
  return fc
    .oneof({ arbitrary: random, weight: 9 }, { arbitrary: fc.constant('x'.repeat(maxLength)), weight: 1 })
    .filter((text) => !text.includes('\0'));
}

function lists(document: Json, schema: Json): fc.Arbitrary<unknown[]> {
  const items = valuesOf(document, isJson(schema['items']) ? schema['items'] : {});
  // Fewer than allowed: a query with fifty lists would exceed the maximum URL length.
  const range = { minLength: numberAt(schema, 'minItems', 0), maxLength: Math.min(numberAt(schema, 'maxItems', 3), 3) };
  return schema['uniqueItems'] === true ? fc.uniqueArray(items, range) : fc.array(items, range);
}

function objects(document: Json, schema: Json): fc.Arbitrary<Json> {
  const properties = isJson(schema['properties']) ? schema['properties'] : {};
  if (isJson(schema['additionalProperties'])) return fc.constant({});
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  const fields: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [name, part] of Object.entries(properties)) fields[name] = valuesOf(document, isJson(part) ? part : {});
  const least = numberAt(schema, 'minProperties', 0);
  return fc
    .record(fields, { requiredKeys: required })
    .map((object) => ({ ...object }))
    .filter((object) => Object.keys(object).length >= least);
}
