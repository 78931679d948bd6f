import { z } from 'zod';
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { Api } from '../api/client.ts';
import { BadArguments } from '../api/failure.ts';
import { cut } from '../fit.ts';

/** What a tool does to the organization: reads; sets something to a value, so that twice is as good as once; or adds
 *  something each time. None removes anything. */
export type Effect = 'read' | 'update' | 'create';

/** What a tool works with while it is called. */
export interface Caller {
  readonly api: Api;
  /** The time of the call. */
  readonly now: Date;
}

/** A tool as the model sees it, and what it does. */
interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  /** snake_case, a verb first. */
  readonly name: string;
  readonly title: string;
  /** One or two sentences: what it answers, when to use it, which neighbour to prefer otherwise. */
  readonly description: string;
  readonly effect: Effect;
  /** Strict: an argument that it does not know is refused by name. */
  readonly input: Input;
  readonly output: Output;
  /** @throws {ApiFailure} {BadArguments} */
  run(caller: Caller, args: z.output<Input>): Promise<z.input<Output>>;
}

/** Any tool, its types forgotten: the arguments are checked against `input` before it runs. */
export type AnyTool = Omit<Tool, 'run'> & {
  run(caller: Caller, args: never): Promise<Record<string, unknown>>;
};

/** Ties the types of a tool together. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Tool<Input, Output>,
): Tool<Input, Output> {
  return tool;
}

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
