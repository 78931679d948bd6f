import type { z } from 'zod';

type Issue = z.core.$ZodRawIssue;

/** Describes an invalid argument so that the text continues its name: `must be a number, not "five"`. Zod's own texts name its types.
 *  @returns undefined for messages of the schema itself */
export function describeFault(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${kindOf(issue.expected)}${not(issue.input)}`;
    case 'invalid_value':
      if (issue.input === undefined) return 'is required';
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}${not(issue.input)}`;
    case 'invalid_format':
      return `must be ${formats[issue.format] ?? 'in the documented format'}${not(issue.input)}`;
    case 'too_small':
      return `must ${sized(issue.origin, issue.exact ? 'exactly' : issue.inclusive ? 'at least' : 'more than', issue.minimum)}${givenSize(issue)}`;
    case 'too_big':
      return `must ${sized(issue.origin, issue.exact ? 'exactly' : issue.inclusive ? 'at most' : 'less than', issue.maximum)}${givenSize(issue)}`;
    case 'unrecognized_keys':
      return `${issue.keys.map((key) => JSON.stringify(key)).join(', ')} ${issue.keys.length === 1 ? 'is not a known argument' : 'are not known arguments'}`;
    default:
      return undefined;
  }
}

const formats: Readonly<Record<string, string>> = { email: 'an email address', date: 'a date as YYYY-MM-DD' };

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function kindOf(expected: string): string {
  return kinds[expected] ?? `of the type ${expected}`;
}

function sized(origin: string, bound: string, size: number | bigint): string {
  const [one, many] = origin === 'string' ? ['character', 'characters'] : ['value', 'values'];
  return origin === 'string' || origin === 'array'
    ? `have ${bound} ${size} ${Number(size) === 1 ? one : many}`
    : `be ${bound} ${size}`;
}

/** The rejected number, to follow its rule. Lists and texts are omitted, because they are longer than the rule. */
function givenSize({ origin, input }: Extract<Issue, { code: 'too_small' | 'too_big' }>): string {
  return origin === 'string' || origin === 'array' ? '' : not(input);
}

/** Longest value that a message repeats, in characters. */
const mostShown = 80;

function not(input: unknown): string {
  const text = JSON.stringify(input) ?? 'nothing';
  return `, not ${text.length > mostShown ? `${text.slice(0, mostShown)}…` : text}`;
}
