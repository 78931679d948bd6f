import type { z } from 'zod';
import type { Caller } from '../tools/tool.ts';

/** A question that people ask again and again: they choose it by name, and the model gets the message. */
export interface Prompt<Input extends z.ZodObject = z.ZodObject> {
  /** snake_case. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What it is asked with; clients send strings. */
  readonly input: Input;
  /** Suggestions for an argument while it is typed, by its name.
   *  @throws {ApiFailure} */
  readonly complete?: Readonly<Record<string, (caller: Caller) => Promise<readonly string[]>>>;
  /** The message in the name of the user. */
  message(args: z.output<Input>, now: Date): string;
}

/** Any prompt, its types forgotten: the arguments are checked against `input` before. */
export type AnyPrompt = Omit<Prompt, 'message'> & { message(args: never, now: Date): string };

/** Ties the types of a prompt together. */
export function definePrompt<Input extends z.ZodObject>(prompt: Prompt<Input>): Prompt<Input> {
  return prompt;
}
