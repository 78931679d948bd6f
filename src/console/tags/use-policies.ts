import { useMemo } from 'react';
import { graphql } from '../api/graphql.ts';
import { useAnswer, type Answer } from '../api/use-answer.ts';
import type { Choice } from '../parts/filters.tsx';
import { PolicyFields, type PolicyRow, type PolicyRule } from './queries.ts';

/** Both pages that an organization's policies can fill: it holds at most 200. */
const AllPolicies = graphql(
  `
    query AllPolicies {
      first: tagPolicies(sortBy: NAME_ASC, perPage: 100) {
        data {
          ...PolicyFields
        }
      }
      second: tagPolicies(sortBy: NAME_ASC, page: 2, perPage: 100) {
        data {
          ...PolicyFields
        }
      }
    }
  `,
  [PolicyFields],
);

interface Policies {
  readonly answer: Answer<unknown>;
  readonly policies: readonly PolicyRow[];
  readonly choices: readonly Choice[];
  /** What a policy expects of a tag; null where it is not known any more. */
  ruleOf(policyId: string, key: string): PolicyRule | null;
}

/** Every policy that the caller may see. */
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
