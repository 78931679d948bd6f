import { Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { Link } from 'wouter';
import { typeLabel, useInventoryChoices } from '../inventory/queries.ts';
import { useTagKeyChoices } from '../parts/choices/choices.tsx';
import { anyOf, anyText, byAccount, byProvider, useList } from '../parts/list/definition.tsx';
import { ListPage } from '../parts/list/list.tsx';
import { TwoLines, type Column, moneyColumn } from '../parts/list/table.tsx';
import { Empty } from '../parts/page/page.tsx';
import { Status } from '../parts/page/card.tsx';
import { usePolicies, valueWords } from './policies/page.tsx';
import { ViolationsQuery, type PolicyRule, type ViolationRow } from './queries.ts';
import { TagsTabs } from './tabs.tsx';

const list = {
  csv: ['/tags/violations', 'tag-violations'],
  sort: '-cost_last_30_days',
  filters: {
    policyId: anyText('policy', 'Policy', () => usePolicies().choices),
    problem: anyOf('problem', 'Problem', ['MISSING', 'VALUE_NOT_ALLOWED', 'PATTERN_MISMATCH', 'WRONG_CASE']),
    key: anyText('key', 'Key', useTagKeyChoices),
    accountId: byAccount,
    provider: byProvider,
    resourceType: anyText('type', 'Type', () => useInventoryChoices().types),
  },
} as const;

/** Resources that violate enabled policies, most expensive first. */
export function ViolationsPage() {
  const { policies, ruleOf } = usePolicies();
  return (
    <ListPage
      views="TAG_VIOLATIONS"
      title="Tag violations"
      lead="Resources that violate enabled policies. Evaluated after each sync, once a day, and when a policy changes."
      tabs={<TagsTabs />}
      list={useList(list, ViolationsQuery)}
      columns={violationColumns(ruleOf)}
      keyOf={({ policyId, resource, key }) => `${policyId} ${resource.id} ${key}`}
      hrefOf={({ resource }) => `/inventory/${resource.id}`}
      noun={['violation']}
      empty={<NoViolations hasPolicies={policies.some(({ enabled }) => enabled)} />}
    />
  );
}

function NoViolations({ hasPolicies }: { readonly hasPolicies: boolean }) {
  if (hasPolicies) return <Empty icon={IconCircleCheck} title="No violations" text="All resources comply." />;
  return (
    <Empty
      title="No policy is enabled"
      text={
        <>
          A{' '}
          <Link href="/tags/policies" style={{ textDecoration: 'underline' }}>
            policy
          </Link>{' '}
          defines required tags and values.
        </>
      }
    />
  );
}

/** Columns of the violation list. */
function violationColumns(ruleOf: (policyId: string, key: string) => PolicyRule | null): Column<ViolationRow>[] {
  const expected = ({ policyId, key }: ViolationRow) => {
    const rule = ruleOf(policyId, key);
    return rule ? valueWords(rule) : '';
  };
  return [
    { title: 'Resource', grow: true, cell: ({ resource }) => resource.name },
    {
      title: 'Problem',
      cell: ({ problem }) => <Status value={problem} tone={problem === 'MISSING' ? 'bad' : 'warn'} />,
    },
    { title: 'Tag', sortBy: 'key', cell: (row) => <TagOf row={row} /> },
    {
      title: 'Policy',
      hideOn: 'tablet',
      sortBy: 'policy_name',
      cell: (row) => <TwoLines top={<Clipped text={row.policyName} />} below={<Clipped text={expected(row)} />} />,
    },
    { title: 'Type', hideOn: 'tablet', cell: ({ resource }) => typeLabel(resource.resourceType) },
    moneyColumn('Last 30 days', 'costLast30Days', { hideOn: 'phone', sortBy: 'cost_last_30_days' }),
  ];
}

function TagOf({ row: { key, value } }: { readonly row: ViolationRow }) {
  return value === null ? key : <TwoLines top={key} below={value === '' ? 'empty' : value} />;
}

/** Truncates long names, value lists and patterns; shows the full text on hover. */
function Clipped({ text }: { readonly text: string }) {
  return (
    <Text span inherit truncate="end" title={text} style={{ display: 'block', maxWidth: 200 }}>
      {text}
    </Text>
  );
}
