import { z } from 'zod';
import { parse, stringify } from 'yaml';
import { draftOf, inputOf, type Draft } from './draft.ts';

const text = z.string();
const optionalText = text.nullish();

/** Enum in the spelling of REST, lower case, converted to that of GraphQL, which the form uses. */
function word<const Words extends readonly [string, ...string[]]>(words: Words) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type says what the method does
  return z.enum(words).transform((one) => one.toUpperCase() as Uppercase<Words[number]>);
}

const rule = z
  .strictObject({
    value: optionalText,
    value_from: z
      .strictObject({
        dimension: text,
        transform: word(['none', 'lower', 'strip_prefix']).nullish(),
        prefix: optionalText,
      })
      .nullish(),
    conditions: z
      .array(
        z.strictObject({
          dimension: text,
          operator: word(['in', 'not_in', 'starts_with', 'contains', 'exists', 'missing']),
          values: z.array(text).nullish(),
        }),
      )
      .nullish(),
  })
  .transform(({ value_from: valueFrom, ...rest }) => ({ ...rest, valueFrom }));

const split = z
  .strictObject({
    name: text,
    source_values: z.array(text),
    method: word(['even', 'proportional', 'fixed', 'metric']),
    targets: z.array(text).nullish(),
    shares: z.array(z.strictObject({ value: text, percent: z.union([z.number(), text]) })).nullish(),
    metric_id: optionalText,
  })
  .transform(({ source_values: sourceValues, metric_id: metricId, ...rest }) => ({ ...rest, sourceValues, metricId }));

/** A definition, spelled as in REST. */
const definition = z
  .strictObject({
    key: optionalText,
    name: text,
    description: optionalText,
    default_value: optionalText,
    enabled: z.boolean().nullish(),
    rules: z.array(rule),
    splits: z.array(split).nullish(),
  })
  .transform(({ default_value: defaultValue, ...rest }) => ({ ...rest, defaultValue }));

/** Maximum size of a definition file in bytes; definitions have at most 500 rules. */
export const largestFile = 2_000_000;

/** Formats a virtual tag as YAML, spelled as the body of `POST /virtual-tags`. */
export function yamlOf(draft: Draft): string {
  const { name, ...rest } = inputOf(draft);
  return stringify(restSpelled({ ...(draft.key !== '' && { key: draft.key }), name, ...rest }), { lineWidth: 0 });
}

/** Parses a definition.
 *  @throws {Error} with a message that names the field */
export function draftOfYaml(file: string): Draft {
  // JSON is YAML too. Aliases could make a small file huge.
  const found = definition.safeParse(parse(file, { maxAliasCount: 0 }));
  if (found.success) return draftOf(found.data);
  const [issue] = found.error.issues;
  const at = issue ? pathOf(issue.path) : '';
  throw new Error(`${at === '' ? '' : `${at}: `}${issue?.message ?? 'The definition is invalid'}`);
}

/** Path as the API writes it, such as `rules[2].value`. */
function pathOf(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}

const enums = new Set(['operator', 'transform', 'method']);

/** Converts the names of fields and enums from GraphQL's spelling to that of REST; leaves out empty lists. */
function restSpelled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(restSpelled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => !(Array.isArray(one) && one.length === 0) && one !== '')
      .map(([key, one]) => [
        key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        enums.has(key) ? String(one).toLowerCase() : restSpelled(one),
      ]),
  );
}
