import { RE2JS } from 're2js';
import { z } from 'zod';

const ruleSchema = z.object({
  key: z.string(),
  required: z.boolean(),
  allowedValues: z.array(z.string()),
  pattern: z.string().nullable(),
  caseSensitive: z.boolean(),
});

/** What a policy expects of one tag. */
export interface TagRule {
  /** Tags match it whatever their case. */
  readonly key: string;
  /** Whether a resource without the tag breaks the rule. */
  readonly required: boolean;
  /** Empty: any value. */
  readonly allowedValues: readonly string[];
  /** RE2 syntax, matched against the whole value. Null if any value is allowed. */
  readonly pattern: string | null;
  /** Whether key and value must be spelled in the rule's case. */
  readonly caseSensitive: boolean;
}

/** What an organization expects of the tags of some of its resources. */
export interface TagPolicy {
  readonly id: string;
  readonly name: string;
  readonly rules: readonly TagRule[];
  /** Slug of the provider whose resources it is about; null: all. */
  readonly provider: string | null;
  /** The cloud account whose resources it is about; null: all. */
  readonly accountId: string | null;
  /** Resource types it is about, whatever their case; empty: all. */
  readonly resourceTypes: readonly string[];
  readonly enabled: boolean;
  /** User who made it; null: nobody who is known any more. */
  readonly createdById: string | null;
  readonly createdAt: Date;
}

/** How a resource breaks a rule; `wrong_case` is right in everything but the case of its letters. */
export type TagProblem = 'missing' | 'value_not_allowed' | 'pattern_mismatch' | 'wrong_case';

/** Reads the rules of a stored policy.
 *  @throws {ZodError} when they are none: only what was checked is stored */
export function parseRules(stored: unknown): TagRule[] {
  return z.array(ruleSchema).parse(stored);
}

/** Tells whether a whole value matches, with exactly this case or whatever its case. */
interface Pattern {
  /** Steps that each character of a value may take, at most: repetitions count as often as they may come. */
  readonly steps: number;
  matches(value: string): boolean;
  matchesIgnoringCase(value: string): boolean;
}

/** Compiles a pattern of a client. RE2 answers in time linear in the value and in `steps`, and refuses those that would need
 *  more: back references and looking around. Syntax: https://github.com/google/re2/wiki/Syntax
 *  @throws {Error} saying what is wrong with it */
export function compilePattern(text: string): Pattern {
  const exact = RE2JS.compile(text);
  const folded = RE2JS.compile(text, RE2JS.CASE_INSENSITIVE);
  return {
    steps: Math.max(exact.programSize(), folded.programSize()),
    matches: (value) => exact.matches(value),
    matchesIgnoringCase: (value) => folded.matches(value),
  };
}
