import { Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useMe } from '../api/me.tsx';
import { ownerOf, useInventoryChoices } from '../inventory/queries.ts';
import { useTagKeyChoices } from '../parts/choices/choices.tsx';
import { always, anyOf, anyText, byAccount, byProvider, useList } from '../parts/list/definition.tsx';
import { ListPage } from '../parts/list/list.tsx';
import { type Column, moneyColumn, Pair } from '../parts/list/table.tsx';
import { NoData } from '../parts/page/no-data.tsx';
import { Status } from '../parts/page/card.tsx';
import { resourceTypeName } from '../words/resource-types.ts';
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
    resourceType: anyText('type', 'Type', (options) => useInventoryChoices(options).types),
    // All problems of a resource are on one page.
    byResource: always(true),
  },
} as const;

/** Resources that violate enabled policies, most expensive first, each with all of its problems. */
export function ViolationsPage() {
  const { policies, ruleOf } = usePolicies();
  const { ownerTagKey } = useMe().organization;
  const violations = useList(list, ViolationsQuery);
  const byResource = Map.groupBy(violations.rows, ({ resource }) => resource.id);
  const problemsOf = ({ resource }: ViolationRow) => byResource.get(resource.id) ?? [];
  return (
    <ListPage
      views="TAG_VIOLATIONS"
      title="Tag violations"
      lead="Resources that violate enabled policies. Evaluated after each sync, once per day, and when a policy changes."
      tabs={<TagsTabs />}
      list={violations}
      columns={violationColumns(problemsOf, ruleOf, ownerTagKey)}
      isShown={(row) => problemsOf(row)[0] === row}
      keyOf={({ policyId, resource, key }) => `${policyId} ${resource.id} ${key}`}
      hrefOf={({ resource }) => `/inventory/${resource.id}`}
      noun={['resource']}
      empty={<NoViolations hasPolicies={policies.some(({ enabled }) => enabled)} />}
    />
  );
}

function NoViolations({ hasPolicies }: { readonly hasPolicies: boolean }) {
  if (hasPolicies) return <NoData icon={IconCircleCheck} title="No violations" text="All resources comply." />;
  return (
    <NoData
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

/** Columns of the violation list.
 *  @param problemsOf all violations of a row's resource */
function violationColumns(
  problemsOf: (row: ViolationRow) => readonly ViolationRow[],
  ruleOf: (policyId: string, key: string) => PolicyRule | null,
  ownerKey: string | null,
): Column<ViolationRow>[] {
  const expected = ({ policyId, key }: ViolationRow) => {
    const rule = ruleOf(policyId, key);
    return rule ? valueWords(rule) : '';
  };
  const owner: Column<ViolationRow> = {
    title: 'Owner',
    hideOn: 'phone',
    cell: ({ resource }) => ownerOf(resource.inventory?.tags, ownerKey) ?? '–',
  };
  return [
    { title: 'Resource', grow: true, cell: ({ resource }) => resource.name },
    {
      title: 'Problems',
      sortBy: 'key',
      cell: (row) => (
        <Stack gap={4}>
          {problemsOf(row).map((one) => (
            <Problem key={`${one.policyId} ${one.key}`} of={one} />
          ))}
        </Stack>
      ),
    },
    {
      title: 'Policy',
      hideOn: 'tablet',
      sortBy: 'policy_name',
      cell: (row) =>
        problemsOf(row).map((one) => (
          <Clipped
            width="max(200px, 26cqw)"
            key={`${one.policyId} ${one.key}`}
            text={[one.policyName, expected(one)].filter(Boolean).join(': ')}
          />
        )),
    },
    ...(ownerKey === null ? [] : [owner]),
    { title: 'Type', hideOn: 'tablet', cell: ({ resource }) => resourceTypeName(resource.resourceType) },
    moneyColumn('Last 30 days', 'costLast30Days', { hideOn: 'phone', sortBy: 'cost_last_30_days' }),
  ];
}

function Problem({ of: { key, value, problem } }: { readonly of: ViolationRow }) {
  return (
    <Pair>
      <Status value={problem} tone={problem === 'MISSING' ? 'bad' : 'warn'} />
      <Clipped width="200px" text={value === null ? key : `${key}: ${value === '' ? 'empty' : value}`} />
    </Pair>
  );
}

/** Truncates long names, value lists and patterns; shows the full text on hover. */
function Clipped({ text, width }: { readonly text: string; readonly width: string }) {
  return (
    <Text span inherit truncate="end" title={text} style={{ display: 'block', maxWidth: width }}>
      {text}
    </Text>
  );
}
