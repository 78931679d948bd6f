import { useMemo } from 'react';
import { graphql } from '../../api/graphql.ts';
import { useMay, useMe } from '../../api/me.tsx';
import { type Answer, useAnswer } from '../../api/use-api.ts';
import type { Choice } from '../../parts/list/filters.tsx';
import { counted, providerName } from '../../words/format.ts';
import { TagPolicyRow, type PolicyRow, type PolicyRule } from '../queries.ts';

/** Two pages of 100 hold all policies: an organization has at most 200. */
const AllPolicies = graphql(
  `
    query AllPolicies {
      first: tagPolicies(sortBy: NAME_ASC, perPage: 100) {
        data {
          ...TagPolicyRow
        }
      }
      second: tagPolicies(sortBy: NAME_ASC, page: 2, perPage: 100) {
        data {
          ...TagPolicyRow
        }
      }
    }
  `,
  [TagPolicyRow],
);

interface Policies {
  readonly answer: Answer<unknown>;
  readonly policies: readonly PolicyRow[];
  readonly choices: readonly Choice[];
  /** Rule of a policy for a tag key; null if it no longer exists. */
  ruleOf(policyId: string, key: string): PolicyRule | null;
}

/** All policies that the caller can see. */
export function usePolicies(): Policies {
  const answer = useAnswer(AllPolicies, {});
  return useMemo(() => {
    const policies = [...(answer.data?.first?.data ?? []), ...(answer.data?.second?.data ?? [])];
    return {
      answer,
      policies,
      choices: policies.map(({ id, name }) => ({ value: id, label: name })),
      ruleOf: (policyId, key) =>
        policies.find(({ id }) => id === policyId)?.rules.find((rule) => rule.key === key) ?? null,
    };
  }, [answer]);
}

/** Whether the caller can change a policy; policies for all accounts require access to all accounts. */
export function useMayChange(policy: Pick<PolicyRow, 'accountId'>): boolean {
  const { accountAccess } = useMe();
  const mayWrite = useMay('tag_policies.write');
  return mayWrite && (accountAccess === null || policy.accountId !== null);
}

const shownTypes = 2;

type About = Pick<PolicyRow, 'accountId' | 'provider' | 'resourceTypes'>;

/** Describes the scope of a policy, such as `Volume, Instance · AWS`. */
export function aboutWords({ accountId, provider, resourceTypes }: About, accountName: (id: string) => string): string {
  const types =
    resourceTypes.length > shownTypes ? counted(resourceTypes.length, 'resource type') : resourceTypes.join(', ');
  const parts = [types, provider && providerName(provider), accountId && accountName(accountId)].filter(Boolean);
  return parts.length === 0 ? 'All resources' : [...new Set(parts)].join(' · ');
}

const shownValues = 4;

type Expectation = Omit<PolicyRule, 'key'>;

/** Describes a rule in words, without its key. */
export function ruleWords(rule: Expectation): string {
  const parts = [rule.required ? 'required' : 'optional', ...valueParts(rule), rule.caseSensitive && 'case-sensitive'];
  return parts.filter(Boolean).join(', ');
}

/** Describes only the value requirement of a rule. */
export function valueWords(rule: Expectation): string {
  return valueParts(rule).filter(Boolean).join(', ') || 'any value';
}

function valueParts({ allowedValues, pattern }: Expectation) {
  return [allowedValues.length > 0 && `one of ${valuesWords(allowedValues)}`, pattern !== null && `matches ${pattern}`];
}

function valuesWords(values: readonly string[]): string {
  const shown = values.slice(0, shownValues).map((value) => value || '(empty)');
  const left = values.length - shown.length;
  return left > 0 ? `${shown.join(', ')} and ${left} more` : shown.join(', ');
}
