import { RE2JS } from 're2js';

/** Tells whether a whole value matches, with exactly this case or whatever its case. */
export interface Pattern {
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
