import { tagKeyName } from '../../../kit/tag-key.ts';
import { nextTurn } from '../../../kit/turns.ts';
import { compilePattern, type TagPolicy, type TagProblem, type TagRule } from '../policies/rule.ts';

/** The fields of a resource that policies check. */
export interface TaggedResource {
  readonly provider: string;
  readonly resourceType: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** A rule violated by a resource. */
export interface Violation {
  readonly policyId: string;
  /** The rule's key. */
  readonly key: string;
  readonly problem: TagProblem;
  /** The tag's value; null if missing. */
  readonly value: string | null;
}

/** A resource as checked by policies, with the columns its violations show. */
export interface CheckedResource extends TaggedResource {
  /** Id in the account's bills, as a decimal. */
  readonly resourceId: string;
  readonly currency: string;
  /** EffectiveCost of the last 30 days in this currency, as a decimal. */
  readonly cost: string;
  /** The cost by currency and month: exact decimals. */
  readonly monthCosts: unknown;
}

/** A violation with its resource. */
export interface FoundViolation extends Violation {
  readonly resource: CheckedResource;
}

/** Returns the rules that a resource violates, with at most one problem per rule: the first to fix. */
export type Checker = (resource: TaggedResource) => Violation[];

type RuleCheck = (tags: Tags) => Omit<Violation, 'policyId'> | null;
type Tags = ReadonlyMap<string, { key: string; value: string }>;

/** Creates the checker of an account's policies. Patterns are compiled once, not per resource.
 *  @param policies enabled policies that cover the account */
export function checkerOf(policies: readonly TagPolicy[]): Checker {
  const compiled = policies.map((policy) => ({
    ...policy,
    types: new Set(policy.resourceTypes.map((type) => type.toLowerCase())),
    checks: policy.rules.map(ruleCheck),
  }));
  return ({ provider, resourceType, tags }) => {
    const type = resourceType.toLowerCase();
    const concerned = compiled.filter(
      (policy) =>
        (policy.provider === null || policy.provider === provider) &&
        (policy.types.size === 0 || policy.types.has(type)),
    );
    if (concerned.length === 0) return [];
    const folded = foldTags(tags);
    return concerned.flatMap(({ id, checks }) =>
      checks.flatMap((check) => {
        const found = check(folded);
        return found === null ? [] : [{ policyId: id, ...found }];
      }),
    );
  };
}

/** Merges keys that differ only in case; the first in code point order wins, as on bills. */
function foldTags(tags: Readonly<Record<string, string>>): Tags {
  const folded = new Map<string, { key: string; value: string }>();
  for (const written of Object.keys(tags).sort()) {
    const key = tagKeyName(written);
    if (!folded.has(key.toLowerCase())) folded.set(key.toLowerCase(), { key, value: tags[written] ?? '' });
  }
  return folded;
}

function ruleCheck(rule: TagRule): RuleCheck {
  const folded = rule.key.toLowerCase();
  const tests = [allowedTest(rule), patternTest(rule)].filter((test) => test !== null);
  return (tags) => {
    const tag = tags.get(folded);
    if (tag === undefined) return rule.required ? { key: rule.key, problem: 'missing', value: null } : null;
    const broken = (problem: TagProblem) => ({ key: rule.key, problem, value: tag.value });
    const wrong = tests.find((test) => !test.ignoringCase(tag.value));
    if (wrong !== undefined) return broken(wrong.problem);
    if (!rule.caseSensitive) return null;
    const isExact = tag.key === rule.key && tests.every((test) => test.exactly(tag.value));
    return isExact ? null : broken('wrong_case');
  };
}

interface ValueTest {
  readonly problem: TagProblem;
  exactly(value: string): boolean;
  ignoringCase(value: string): boolean;
}

function allowedTest({ allowedValues }: TagRule): ValueTest | null {
  if (allowedValues.length === 0) return null;
  const exact = new Set(allowedValues);
  const folded = new Set(allowedValues.map((value) => value.toLowerCase()));
  return {
    problem: 'value_not_allowed',
    exactly: (value) => exact.has(value),
    ignoringCase: (value) => folded.has(value.toLowerCase()),
  };
}

function patternTest({ pattern }: TagRule): ValueTest | null {
  if (pattern === null) return null;
  const compiled = compilePattern(pattern);
  return {
    problem: 'pattern_mismatch',
    exactly: (value) => compiled.matches(value),
    ignoringCase: (value) => compiled.matchesIgnoringCase(value),
  };
}

/** Checks resources one after another. Yields to other work: user-defined patterns can take long over a few thousand
 *  resources. */
export async function checkAll(check: Checker, resources: readonly CheckedResource[]): Promise<FoundViolation[]> {
  const found: FoundViolation[] = [];
  for (const resource of resources) {
    await nextTurn();
    for (const violation of check(resource)) found.push({ ...violation, resource });
  }
  return found;
}
