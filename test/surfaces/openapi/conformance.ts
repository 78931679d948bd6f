/** A part of an OpenAPI document. */
type Json = Readonly<Record<string, unknown>>;

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** All deviations of a JSON value from a schema of the document. Strict: `nullable` as in OpenAPI 3.0.3, and no undocumented
 *  keys. */
export function departures(document: Json, schema: unknown, value: unknown, at = '$'): string[] {
  const follow = (part: unknown, item: unknown, where: string) => departures(document, part, item, where);
  if (!isJson(schema)) return [`${at}: there is no schema`];
  if (typeof schema['$ref'] === 'string') return follow(resolve(document, schema['$ref']), value, at);
  const found = list(schema['allOf']).flatMap((part) => follow(part, value, at));
  const options = list(schema['anyOf']).map((part) => follow(part, value, at));
  if (options.length > 0 && !options.some((problems) => problems.length === 0)) found.push(...(options[0] ?? []));
  if (Array.isArray(schema['enum']) && !schema['enum'].includes(value))
    found.push(`${at}: ${String(value)} is not a value of the enum`);
  if (value === null) return 'type' in schema && schema['nullable'] !== true ? [...found, `${at}: null`] : found;
  if ('type' in schema && schema['type'] !== kindOf(value, schema['type']))
    return [...found, `${at}: ${typeof value} for ${String(schema['type'])}`];
  if (Array.isArray(value) && schema['type'] === 'array')
    value.forEach((item, n) => found.push(...follow(schema['items'], item, `${at}[${n}]`)));
  else if (isJson(value) && isJson(schema['properties'])) found.push(...ofObject(document, schema, value, at));
  else if (isJson(value) && isJson(schema['additionalProperties']))
    for (const [key, item] of Object.entries(value))
      found.push(...follow(schema['additionalProperties'], item, `${at}.${key}`));
  return found;
}

function ofObject(document: Json, schema: Json, value: Json, at: string): string[] {
  const properties = isJson(schema['properties']) ? schema['properties'] : {};
  const missing = list(schema['required']).filter((name) => !Object.hasOwn(value, String(name)));
  const present = Object.entries(value).flatMap(([name, item]) =>
    name in properties
      ? departures(document, properties[name], item, `${at}.${name}`)
      : [`${at}.${name}: not in the document`],
  );
  return [...missing.map((name) => `${at}.${String(name)}: missing`), ...present];
}

function kindOf(value: unknown, wanted: unknown): string {
  if (Array.isArray(value)) return 'array';
  return wanted === 'integer' && Number.isInteger(value) ? 'integer' : typeof value;
}

function resolve(document: Json, reference: string): unknown {
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (isJson(at) ? at[key] : undefined), document);
}
