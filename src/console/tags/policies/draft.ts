import type { Refusal } from '../../api/refusal.ts';
import type { PolicyRow } from '../queries.ts';

/** Form state of a policy. */
export interface Draft {
  readonly name: string;
  readonly enabled: boolean;
  readonly provider: string | null;
  readonly accountId: string | null;
  readonly resourceTypes: readonly string[];
  readonly rules: readonly DraftRule[];
}

let made = 0;

/** New rule that requires a tag. */
export function newRule(): DraftRule {
  return { id: (made += 1), key: '', required: true, allowedValues: [], pattern: '', caseSensitive: false };
}

/** Form state of a new policy. */
export function newDraft(): Draft {
  return { name: '', enabled: true, provider: null, accountId: null, resourceTypes: [], rules: [newRule()] };
}

/** Converts a policy to its form state. */
export function draftOf({ name, enabled, provider, accountId, resourceTypes, rules }: PolicyRow): Draft {
  const drafts = rules.map((rule) => ({ ...newRule(), ...rule, pattern: rule.pattern ?? '' }));
  return { name, enabled, provider, accountId, resourceTypes, rules: drafts };
}

/** Converts form state to the API's input. */
export function inputOf({ name, enabled, provider, accountId, resourceTypes, rules }: Draft) {
  return {
    name: name.trim(),
    enabled,
    provider,
    accountId,
    resourceTypes: [...resourceTypes],
    rules: rules.map(({ key, required, allowedValues, pattern, caseSensitive }) => ({
      key,
      required,
      allowedValues: [...allowedValues],
      pattern: pattern === '' ? null : pattern,
      caseSensitive,
    })),
  };
}

/** Errors by form field: `name`, `account`, `key 0`, `pattern 0`, `rule 0` and so on. */
export type Faults = Readonly<Partial<Record<string, string>>>;

/** Validates what the client can check; the API validates the rest.
 *  @param mustNameAccount the caller has access to only some accounts */
export function faultsOf(draft: Draft, mustNameAccount: boolean): Faults {
  const faults: Record<string, string> = {};
  const name = draft.name.trim();
  if (name === '') faults['name'] = 'Enter a name';
  else if (name.length > 100) faults['name'] = 'At most 100 characters';
  if (mustNameAccount && draft.accountId === null) faults['account'] = 'Choose an account';
  const seen = new Set<string>();
  for (const [index, rule] of draft.rules.entries()) {
    const folded = rule.key.trim().toLowerCase();
    if (folded === '') faults[`key ${index}`] = 'Enter a tag key?';
    else if (seen.has(folded)) faults[`key ${index}`] = 'Another rule already has this key';
    else if (ruleIsEmpty(rule))
      faults[`rule ${index}`] = 'The rule has no effect: make the tag required, or restrict its values';
    seen.add(folded);
  }
  return faults;
}

const places: Readonly<Record<string, string>> = { key: 'key', pattern: 'pattern', allowedValues: 'values' };

/** Maps an API error to its form field, for example `rules[0].pattern`; empty if it does not concern a rule. */
export function faultsOfRefusal(refusal: Refusal): Faults {
  const [, index, field = ''] = /^rules\[(\d+)\](?:\.(\w+))?/.exec(refusal.field ?? '') ?? [];
  if (index === undefined) return {};
  return { [`${places[field] ?? 'rule'} ${index}`]: refusal.rest };
}

/** Form state of a rule. */
export interface DraftRule {
  /** Identifies the rule while editing. */
  readonly id: number;
  readonly key: string;
  readonly required: boolean;
  readonly allowedValues: readonly string[];
  /** Empty matches any value. */
  readonly pattern: string;
  readonly caseSensitive: boolean;
}

/** Whether nothing can violate the rule. */
function ruleIsEmpty({ required, allowedValues, pattern, caseSensitive }: DraftRule): boolean {
  return !required && allowedValues.length === 0 && pattern === '' && !caseSensitive;
}
