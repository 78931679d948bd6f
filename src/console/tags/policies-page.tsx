import { Button, Switch } from '@mantine/core';
import { IconPlus, IconTags } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { useMay } from '../api/me.tsx';
import { sortValue } from '../api/sort.ts';
import { useAct } from '../api/use-act.ts';
import { useAnswer } from '../api/use-answer.ts';
import { CsvButton, queryOf } from '../parts/csv-button.tsx';
import { done } from '../parts/done.ts';
import { Empty } from '../parts/empty.tsx';
import { ListCard } from '../parts/list.tsx';
import { OneOf } from '../parts/one-of.tsx';
import { Page } from '../parts/page.tsx';
import { usePolling } from '../parts/polling.ts';
import { RefusalAlert } from '../parts/refusal.tsx';
import { useAccountNames } from '../parts/scope.tsx';
import { Status } from '../parts/status.tsx';
import type { Column } from '../parts/table.tsx';
import { pageOf, useUrlState } from '../parts/url-state.ts';
import { count } from '../words/format.ts';
import { EnablePolicy, PoliciesQuery, type PolicyRow } from './queries.ts';
import { aboutWords } from './about-words.ts';
import { ruleWords } from './rule-words.ts';
import { TagsTabs } from './tags-tabs.tsx';
import { useMayChange } from './use-may-change.ts';

const views = [
  { value: 'all', label: 'All' },
  { value: 'enabled', label: 'Enabled' },
  { value: 'disabled', label: 'Disabled' },
];

/** Policies: what is expected of tags, and how often it is broken. */
export function PoliciesPage() {
  const state = useUrlState();
  const show = state.one('show');
  const enabled = show === 'enabled' ? true : show === 'disabled' ? false : undefined;
  const sort = state.one('sort') ?? 'name';
  const answer = useAnswer(PoliciesQuery, { enabled, sortBy: sortValue(sort), page: pageOf(state), perPage: 25 });
  usePolling(answer, ({ tagPolicies }) => tagPolicies?.data.some(({ evaluating }) => evaluating) ?? false, 2000);
  const { act, refusal } = useAct(EnablePolicy);
  const accountName = useAccountNames();
  const columns = useMemo(() => columnsOf({ accountName, enable: act }), [accountName, act]);
  const mayWrite = useMay('tag_policies.write');
  return (
    <Page
      title="Tag policies"
      lead="What is expected of the tags of resources."
      actions={
        <>
          <CsvButton path={`/tag-policies${queryOf({ enabled, sort_by: sort })}`} name="tag-policies" />
          {mayWrite && <NewPolicy />}
        </>
      }
    >
      <TagsTabs />
      <OneOf state={state} name="show" label="Policies shown" choices={views} />
      <RefusalAlert refusal={refusal} />
      <ListCard
        label="Tag policies"
        of={answer}
        page={(data) => data.tagPolicies}
        columns={columns}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/tags/policies/${id}`}
        state={state}
        sort={sort}
        noun={['policy', 'policies']}
        filters={['show']}
        empty={<NoPolicies mayWrite={mayWrite} />}
      />
    </Page>
  );
}

function NewPolicy() {
  return (
    <Button component={Link} href="/tags/policies/new" leftSection={<IconPlus size={15} aria-hidden />}>
      New policy
    </Button>
  );
}

function NoPolicies({ mayWrite }: { readonly mayWrite: boolean }) {
  return (
    <Empty
      icon={IconTags}
      title="No tag policies"
      text="A policy names tags that resources must carry, and the values they may have. Those that break it are listed."
      action={mayWrite && <NewPolicy />}
    />
  );
}

interface Context {
  accountName(id: string): string;
  enable(variables: { readonly id: string; readonly enabled: boolean }): Promise<unknown>;
}

function columnsOf({ accountName, enable }: Context): Column<PolicyRow>[] {
  return [
    { key: 'name', title: 'Policy', grow: true, sortBy: 'name', cell: ({ name }) => name },
    { key: 'rules', title: 'Expects', hideOn: 'tablet', cell: ({ rules }) => <Rules rules={rules} /> },
    { key: 'about', title: 'About', hideOn: 'tablet', cell: (policy) => aboutWords(policy, accountName) },
    {
      key: 'violations',
      title: 'Violations',
      align: 'right',
      cell: ({ id, name, violationCount, evaluating }) =>
        evaluating ? (
          'Evaluating…'
        ) : violationCount === 0 ? (
          '0'
        ) : (
          <Link href={`/tags/violations?policy=${id}`} aria-label={`${count(violationCount)} violations of ${name}`}>
            {count(violationCount)}
          </Link>
        ),
    },
    { key: 'enabled', title: 'Enabled', cell: (policy) => <Enabled policy={policy} enable={enable} /> },
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

/** A switch for who may turn it; a word for the others. */
function Enabled({ policy, enable }: { readonly policy: PolicyRow; readonly enable: Context['enable'] }) {
  const { id, name, enabled } = policy;
  if (!useMayChange(policy)) {
    return <Status value="ENABLED" tone={enabled ? 'good' : 'quiet'} label={enabled ? 'Enabled' : 'Disabled'} />;
  }
  const turn = async (next: boolean) => {
    const message = next ? 'Enabled. Resources are being evaluated.' : 'Disabled. Its violations were removed.';
    if (await enable({ id, enabled: next })) done(message);
  };
  return (
    <Switch
      aria-label={`Enable ${name}`}
      checked={enabled}
      onChange={(event) => void turn(event.currentTarget.checked)}
    />
  );
}
