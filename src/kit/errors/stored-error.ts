import { z } from 'zod';
import { spelled, type Part, type Spell, type Statement } from './errors.ts';

const argument = z.object({ path: z.string(), parameter: z.string().exactOptional() });
const choice = z.object({ path: z.string(), choice: z.string() });
const part = z.union([z.string(), choice, argument, z.object({ route: z.string() })]);

const statement = z.object({
  argument: argument.nullable(),
  given: z.object({ value: z.union([z.string(), choice]).nullable(), not: z.string().nullable() }).nullable(),
  reason: z.array(part),
  remedy: z.array(part),
});

/** Wraps one of the server's own sentences as a statement, for example for storage. */
export function sentence(...reason: readonly Part[]): Statement {
  return { argument: null, given: null, reason, remedy: [] };
}

/** Parses an error from the database; null if there is none. Older rows contain plain text instead of parts.
 *  @throws {Error} for anything else */
export function storedError(stored: unknown): Statement | null {
  if (stored === null || stored === undefined) return null;
  return typeof stored === 'string' ? sentence(stored) : statement.parse(stored);
}

/** Message of a stored error, in the spelling of a surface; null if there is none. */
export function storedMessage(stored: unknown, spell: Spell): string | null {
  const read = storedError(stored);
  return read && spelled(read, spell).message;
}

/** Converts a statement for a JSON column. */
export function jsonOf({ argument: subject, given, reason, remedy }: Statement) {
  const bare = (parts: readonly Part[]) => parts.map((each) => (typeof each === 'string' ? each : { ...each }));
  return {
    argument: subject && { ...subject },
    given: given && {
      not: given.not,
      value: typeof given.value === 'object' ? given.value && { ...given.value } : given.value,
    },
    reason: bare(reason),
    remedy: bare(remedy),
  };
}

/** Embeds a statement in another: `Report "x" could not be created: <the error>`. */
export function about(before: string, { argument: subject, given, reason, remedy }: Statement): Statement {
  return {
    argument: null,
    given: null,
    reason: [before, ...withSubject({ argument: subject, given }), ...reason],
    remedy,
  };
}

/** The argument and its value for the middle of a text. */
function withSubject({ argument: subject, given }: Pick<Statement, 'argument' | 'given'>): readonly Part[] {
  if (!subject) return [];
  if (given === null || given.not !== null || given.value === null) return [subject, ' '];
  return [subject, ' "', given.value, '" '];
}
