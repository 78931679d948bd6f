import { completable, ProtocolError, ProtocolErrorCode, type McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Session } from '../session.ts';
import { BadArguments } from '../bad-arguments.ts';
import type { Prompt, PromptArgument } from './prompt.ts';
import { prompts } from './registry.ts';

const mostSuggestions = 100;
const longestArgument = 300;

/** Offers every prompt, with suggestions for its arguments as the caller sees them. */
export function registerPrompts(server: McpServer, session: Session): void {
  for (const prompt of prompts) {
    const { name, title, description } = prompt;
    server.registerPrompt(name, { title, description, argsSchema: schemaOf(prompt, session) }, (args) => {
      const text = messageOf(prompt, args, session.caller().now);
      return { description, messages: [{ role: 'user', content: { type: 'text', text } }] };
    });
  }
}

function schemaOf({ args }: Prompt, session: Session): z.ZodObject {
  const fields = Object.entries(args).map(([name, argument]) => [name, fieldOf(argument, session)]);
  return z.object(Object.fromEntries(fields));
}

/** The SDK looks for suggestions in what `optional` wraps. */
function fieldOf({ description, suggest }: PromptArgument, session: Session) {
  const field = z.string().max(longestArgument).describe(description);
  if (!suggest) return field.optional();
  const complete = async (typed: string) => {
    try {
      return matching(await suggest(session.caller()), typed);
    } catch {
      // Suggestions are a help: without them it can still be typed, and the tools will tell what is wrong.
      return [];
    }
  };
  return completable(field, complete).optional();
}

/** Those that hold what was typed, whatever its case. */
function matching(values: readonly string[], typed: string): string[] {
  const wanted = typed.toLowerCase();
  return values.filter((value) => value.toLowerCase().includes(wanted)).slice(0, mostSuggestions);
}

/** Clients send what nobody filled in as blank. */
function messageOf(prompt: Prompt, args: Readonly<Record<string, unknown>>, now: Date): string {
  const given = Object.entries(args).map(([name, value]) => [name, String(value ?? '').trim()] as const);
  try {
    return prompt.message(Object.fromEntries(given.filter(([, value]) => value !== '')), now);
  } catch (error) {
    if (error instanceof BadArguments) throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
    throw error;
  }
}
