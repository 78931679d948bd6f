import type { z } from 'zod';
import type { Api } from '../api/api.ts';

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
export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
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
