import { IconTags } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { useAllPages } from '../../api/all-pages.ts';
import { useMay, useMe } from '../../api/me.tsx';
import { useAccountNames } from '../../parts/choices/choices.tsx';
import { OnSwitch } from '../../parts/form/dialog.tsx';
import { onOrOff, useList } from '../../parts/list/definition.tsx';
import type { Choice } from '../../parts/list/filters.tsx';
import { ListPage, NewButton } from '../../parts/list/list.tsx';
import type { Column } from '../../parts/list/table.tsx';
import { Empty, usePolling } from '../../parts/page/page.tsx';
import { providerName } from '../../../kit/text/provider-name.ts';
import { count, counted } from '../../words/format.ts';
import { UpdatePolicy, PoliciesQuery, type PolicyRow, type PolicyRule } from '../queries.ts';
import { TagsTabs } from '../tabs.tsx';

const list = {
  csv: ['/tag-policies', 'tag-policies'],
  sort: 'name',
  filters: {
    enabled: onOrOff('show', 'Policies shown', [
      { value: 'enabled', label: 'Enabled' },
      { value: 'disabled', label: 'Disabled' },
    ]),
  },
} as const;

/** Tag policies with their violation counts. */
export function PoliciesPage() {
  const policies = useList(list, PoliciesQuery);
  usePolling(policies.answer, () => policies.rows.some(({ evaluating }) => evaluating), 2000);
  const accountName = useAccountNames();
  const newButton = useMay('tag_policies.write') && <NewButton href="/tags/policies/new">New policy</NewButton>;
  return (
    <ListPage
      title="Tag policies"
      lead="Rules for the tags of resources."
      actions={newButton}
      tabs={<TagsTabs />}
      list={policies}
      columns={columnsOf(accountName)}
      hrefOf={({ id }) => `/tags/policies/${id}`}
      noun={['policy', 'policies']}
      empty={
        <Empty
          icon={IconTags}
          title="No tag policies"
          text="A policy lists required tags and their allowed values. Resources that violate it are reported."
          action={newButton}
        />
      }
    />
  );
}

function columnsOf(accountName: (id: string) => string): Column<PolicyRow>[] {
  return [
    { title: 'Policy', grow: true, sortBy: 'name', cell: ({ name }) => name },
    { title: 'Rules', hideOn: 'tablet', cell: ({ rules }) => <Rules rules={rules} /> },
    { title: 'Scope', hideOn: 'tablet', cell: (policy) => aboutWords(policy, accountName) },
    {
      title: 'Violations',
      align: 'right',
      cell: ({ id, name, violationCount, evaluating }) =>
        evaluating ? (
          'Evaluating…'
        ) : violationCount === 0 ? (
          '0'
        ) : (
          <Link
            href={`/tags/violations?policy=${id}`}
            aria-label={`${counted(violationCount, 'violation')} of ${name}`}
          >
            {count(violationCount)}
          </Link>
        ),
    },
    { title: 'Enabled', cell: (policy) => <Enabled policy={policy} /> },
  ];
}

function Rules({ rules }: { readonly rules: PolicyRow['rules'] }) {
  return (
    <>
      {rules.slice(0, 3).map((rule) => (
        <div key={rule.key} style={{ maxWidth: 420, overflow: 'hidden', textOverflow: 'ellipsis' }}>
          <strong>{rule.key}</strong> {ruleWords(rule)}
        </div>
      ))}
      {rules.length > 3 && <div>and {rules.length - 3} more</div>}
    </>
  );
}

/** Switch that enables a policy, which evaluates it. */
function Enabled({ policy }: { readonly policy: PolicyRow }) {
  const confirmation = (isOn: boolean) =>
    isOn ? 'Enabled. Resources are being evaluated.' : 'Disabled. Its violations were removed.';
  return <OnSwitch row={policy} mutation={UpdatePolicy} mayWrite={useMayChange(policy)} confirmation={confirmation} />;
}

interface Policies {
  readonly policies: readonly PolicyRow[];
  readonly choices: readonly Choice[];
  /** Rule of a policy for a tag key; null if it no longer exists. */
  ruleOf(policyId: string, key: string): PolicyRule | null;
}

/** All policies that the caller can see. */
export function usePolicies(): Policies {
  const { rows } = useAllPages(PoliciesQuery, { sortBy: 'NAME_ASC' });
  return useMemo(() => {
    const policies = rows ?? [];
    return {
      policies,
      choices: policies.map(({ id, name }) => ({ value: id, label: name })),
      ruleOf: (policyId, key) =>
        policies.find(({ id }) => id === policyId)?.rules.find((rule) => rule.key === key) ?? null,
    };
  }, [rows]);
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
