import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { BadArguments } from '../bad-arguments.ts';
import { cut } from '../cut.ts';

type JsonSchema = Record<string, unknown>;
type Direction = 'input' | 'output';

const made = new WeakMap<z.ZodObject, StandardSchemaWithJSON>();

/** A schema as the SDK takes it: written as JSON Schema once, not for each request. It lets everything through, for
 *  `argumentsOf` tells better than the SDK what is wrong with arguments, and answers have been checked already. */
export function onTheWire(schema: z.ZodObject, direction: Direction): StandardSchemaWithJSON {
  const known = made.get(schema);
  if (known) return known;
  const json = brief(z.toJSONSchema(schema, { io: direction }), direction) as JsonSchema;
  const jsonSchema = () => ({ type: 'object', ...structuredClone(json) });
  const wire: StandardSchemaWithJSON = {
    '~standard': {
      version: 1,
      vendor: 'costkeep',
      validate: (value) => ({ value }),
      jsonSchema: { input: jsonSchema, output: jsonSchema },
    },
  };
  made.set(schema, wire);
  return wire;
}

/** What clients know anyway costs tokens in each conversation: the dialect, which is the protocol's, the bounds of whole
 *  numbers, that answers have nothing beside their fields, which of them are always there, and that what has fields is an object, that nothing empty is taken,
 *  and how long lists may be: `argumentsOf` says so when it matters. */
function brief(node: unknown, direction: Direction): unknown {
  if (Array.isArray(node)) return node.map((each) => brief(each, direction));
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(
    ([key, value]) =>
      !/^(\$schema|propertyNames)$/.test(key) &&
      !(key === 'additionalProperties' && value === false && direction === 'output') &&
      !(/^(minimum|maximum)$/.test(key) && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER) &&
      !(key === 'pattern' && 'format' in node) &&
      !(key === 'required' && Array.isArray(value) && direction === 'output') &&
      !(key === 'type' && value === 'object' && 'properties' in node && direction === 'output') &&
      !(/^(minLength|minItems)$/.test(key) && value === 1) &&
      key !== 'maxItems',
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, isAnything(key, value) || brief(value, direction)]));
}

/** The long spelling of `true` is one that some clients do not know. */
function isAnything(key: string, value: unknown): boolean {
  return (
    key === 'additionalProperties' && typeof value === 'object' && value !== null && Object.keys(value).length === 0
  );
}

/** Arguments as a tool takes them.
 *  @throws {BadArguments} naming each argument that does not fit, and what would */
export function argumentsOf(schema: z.ZodObject, given: unknown): Record<string, unknown> {
  const read = schema.safeParse(given ?? {});
  if (read.success) return read.data;
  const names = Object.keys(schema.shape).join(', ');
  const faults = read.error.issues.slice(0, 5).map((issue) => {
    const at = issue.path.map(String).join('.');
    const unknown = issue.code === 'unrecognized_keys' && at === '' ? `; the arguments are ${names}` : '';
    return `${at === '' ? '' : `${at}: `}${issue.message.slice(0, 500)}${unknown}`;
  });
  const [first] = read.error.issues;
  const path = first?.code === 'unrecognized_keys' ? [...first.path, first.keys[0] ?? ''] : (first?.path ?? []);
  throw new BadArguments(faults.join('; '), cut(path.map(String).join('.'), 200) || null);
}
