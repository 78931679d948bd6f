import { completable, type McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Caller } from '../tools/tool.ts';
import type { AnyPrompt } from './prompt.ts';
import { prompts } from './registry.ts';

const mostSuggestions = 100;

/** Offers every prompt, its arguments completed as the caller sees them.
 *  @param callerOf made anew for each question, so that it holds the time of it */
export function registerPrompts(server: McpServer, callerOf: () => Caller): void {
  for (const prompt of prompts) {
    const { name, title, description } = prompt;
    const config = { title, description, argsSchema: withSuggestions(prompt, callerOf) };
    server.registerPrompt(name, config, (args) => ({
      description,
      messages: [{ role: 'user', content: { type: 'text', text: prompt.message(args as never, callerOf().now) } }],
    }));
  }
}

/** The SDK looks for suggestions on an argument itself, or on what its `optional` wraps. */
function withSuggestions(prompt: AnyPrompt, callerOf: () => Caller): z.ZodObject {
  const fields = Object.entries(prompt.input.shape).map(([name, field]) => {
    const suggest = prompt.complete?.[name];
    if (!suggest) return [name, field];
    const complete = async (typed: unknown) => matching(await suggest(callerOf()), String(typed ?? ''));
    return [name, completable(field, complete)];
  });
  return z.strictObject(Object.fromEntries(fields));
}

/** Those that hold what was typed, whatever its case. */
function matching(values: readonly string[], typed: string): string[] {
  const wanted = typed.toLowerCase();
  return values.filter((value) => value.toLowerCase().includes(wanted)).slice(0, mostSuggestions);
}
