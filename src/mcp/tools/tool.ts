import { z } from 'zod';
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { Api } from '../api/client.ts';
import { BadArguments } from '../api/failure.ts';
import { cut } from '../fit.ts';
import { describeFault } from './faults.ts';

/** Effect of a tool on the organization: reads, sets a value (idempotent), or adds something on each call. No tool
 *  deletes anything. */
export type Effect = 'read' | 'update' | 'create';

/** Context of a tool call. */
export interface Caller {
  readonly api: Api;
  /** Time of the call. */
  readonly now: Date;
}

/** A tool: its definition for the model and its implementation. */
interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  /** snake_case, starting with a verb. */
  readonly name: string;
  readonly title: string;
  /** One or two sentences: what it returns, when to use it, and which other tool to prefer otherwise. */
  readonly description: string;
  readonly effect: Effect;
  /** Strict: unknown arguments are rejected by name. */
  readonly input: Input;
  readonly output: Output;
  /** @throws {ApiFailure} {BadArguments} */
  run(caller: Caller, args: z.output<Input>): Promise<z.input<Output>>;
}

/** Any tool with its types erased: arguments are validated against `input` before it runs. */
export type AnyTool = Omit<Tool, 'run'> & {
  run(caller: Caller, args: never): Promise<Record<string, unknown>>;
};

/** Infers the types of a tool, and adds the time of the call to its response as `as_of`. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(tool: Tool<Input, Output>) {
  return {
    ...tool,
    output: z.object({ as_of: z.string(), ...tool.output.shape }),
    run: async (caller: Caller, args: z.output<Input>) => ({
      as_of: caller.now.toISOString(),
      ...(await tool.run(caller, args)),
    }),
  };
}

type JsonSchema = Record<string, unknown>;
type Direction = 'input' | 'output';

const made = new WeakMap<z.ZodObject, StandardSchemaWithJSON>();

/** Wraps a schema for the SDK, generating its JSON Schema once instead of per request. Accepts everything:
 *  `argumentsOf` gives better error messages than the SDK, and responses are already validated. */
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

/** Removes what clients do not need, since it costs tokens in every conversation: the dialect (fixed by the
 *  protocol), integer bounds, patterns next to a format, `additionalProperties`, `required` and enum values of outputs, the
 *  type `object` next to properties of outputs, minimum lengths of 1 and maximum lengths. `argumentsOf` reports
 *  violations. */
function brief(node: unknown, direction: Direction): unknown {
  if (Array.isArray(node)) return node.map((each) => brief(each, direction));
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(
    ([key, value]) =>
      !/^(\$schema|propertyNames)$/.test(key) &&
      !(key === 'additionalProperties' && value === false && direction === 'output') &&
      !(/^(minimum|maximum)$/.test(key) && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER) &&
      !(key === 'pattern' && 'format' in node) &&
      !(/^(required|enum)$/.test(key) && Array.isArray(value) && direction === 'output') &&
      !(key === 'type' && value === 'object' && 'properties' in node && direction === 'output') &&
      !(/^(minLength|minItems)$/.test(key) && value === 1) &&
      !/^(maxItems|maxLength)$/.test(key),
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, isAnything(key, value) || brief(value, direction)]));
}

/** Some clients do not support the long form of `true`. */
function isAnything(key: string, value: unknown): boolean {
  return (
    key === 'additionalProperties' && typeof value === 'object' && value !== null && Object.keys(value).length === 0
  );
}

/** Validates the arguments of a tool.
 *  @throws {BadArguments} naming each invalid argument and what is expected */
export function argumentsOf(schema: z.ZodObject, given: unknown): Record<string, unknown> {
  const read = schema.safeParse(given ?? {}, { error: describeFault });
  if (read.success) return read.data;
  const names = Object.keys(schema.shape).join(', ');
  const pathOf = ({ path }: z.core.$ZodIssue) => path.map(String).join('.');
  // Zod also checks the length of a text in place of a list.
  const untyped = new Set(read.error.issues.filter(({ code }) => code === 'invalid_type').map(pathOf));
  const issues = read.error.issues.filter((issue) => issue.code === 'invalid_type' || !untyped.has(pathOf(issue)));
  const faults = issues.slice(0, 5).map((issue) => {
    const at = pathOf(issue);
    const unknown = issue.code === 'unrecognized_keys' && at === '' ? `: use ${names}` : '';
    // Messages of the schemas themselves are sentences.
    const name = at === '' ? '' : `${at}${issue.code === 'custom' ? ': ' : ' '}`;
    return `${name}${issue.message.slice(0, 500)}${unknown}`;
  });
  const [first] = read.error.issues;
  const path = first?.code === 'unrecognized_keys' ? [...first.path, first.keys[0] ?? ''] : (first?.path ?? []);
  throw new BadArguments(faults.join('; '), cut(path.map(String).join('.'), 200) || null);
}
