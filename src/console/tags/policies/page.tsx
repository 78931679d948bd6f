import { Switch } from '@mantine/core';
import { IconTags } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { useMay } from '../../api/me.tsx';
import { useAct } from '../../api/use-api.ts';
import { useAccountNames } from '../../parts/choices/choices.tsx';
import { done } from '../../parts/form/dialog.tsx';
import { onOrOff, useList } from '../../parts/list/definition.tsx';
import { ListPage, NewButton } from '../../parts/list/list.tsx';
import type { Column } from '../../parts/list/table.tsx';
import { Empty, RefusalAlert, usePolling } from '../../parts/page/page.tsx';
import { Status } from '../../parts/page/card.tsx';
import { count } from '../../words/format.ts';
import { UpdatePolicy, PoliciesQuery, type PolicyRow } from '../queries.ts';
import { TagsTabs } from '../tabs.tsx';
import { aboutWords, ruleWords, useMayChange } from './policies.ts';

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
  const { act, refusal } = useAct(UpdatePolicy);
  const accountName = useAccountNames();
  const columns = useMemo(() => columnsOf({ accountName, enable: act }), [accountName, act]);
  const newButton = useMay('tag_policies.write') && <NewButton href="/tags/policies/new">New policy</NewButton>;
  return (
    <ListPage
      title="Tag policies"
      lead="Rules for the tags of resources."
      actions={newButton}
      tabs={<TagsTabs />}
      list={policies}
      columns={columns}
      keyOf={({ id }) => id}
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
    >
      <RefusalAlert refusal={refusal} />
    </ListPage>
  );
}

interface Context {
  accountName(id: string): string;
  enable(variables: { readonly id: string; readonly input: { readonly enabled: boolean } }): Promise<unknown>;
}

function columnsOf({ accountName, enable }: Context): Column<PolicyRow>[] {
  return [
    { title: 'Policy', grow: true, sortBy: 'name', cell: ({ name }) => name },
    { title: 'Expects', hideOn: 'tablet', cell: ({ rules }) => <Rules rules={rules} /> },
    { title: 'About', hideOn: 'tablet', cell: (policy) => aboutWords(policy, accountName) },
    {
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
    { title: 'Enabled', cell: (policy) => <Enabled policy={policy} enable={enable} /> },
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

/** Switch that enables a policy; plain text without write permission. */
function Enabled({ policy, enable }: { readonly policy: PolicyRow; readonly enable: Context['enable'] }) {
  const { id, name, enabled } = policy;
  if (!useMayChange(policy)) {
    return <Status value="ENABLED" tone={enabled ? 'good' : 'quiet'} label={enabled ? 'Enabled' : 'Disabled'} />;
  }
  const turn = async (next: boolean) => {
    const message = next ? 'Enabled. Resources are being evaluated.' : 'Disabled. Its violations were removed.';
    if (await enable({ id, input: { enabled: next } })) done(message);
  };
  return (
    <Switch
      aria-label={`Enable ${name}`}
      checked={enabled}
      onChange={(event) => void turn(event.currentTarget.checked)}
    />
  );
}
