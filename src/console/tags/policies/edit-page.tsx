import { SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { useAct, useAnswer } from '../../api/use-api.ts';
import { useAccountNames, usePeople } from '../../parts/choices/choices.tsx';
import { ConfirmButton, done } from '../../parts/form/dialog.tsx';
import { changesSince } from '../../parts/form/changed-fields.ts';
import { Card, Facts } from '../../parts/page/card.tsx';
import { Page, RecordPage, usePolling } from '../../parts/page/page.tsx';
import { providerName } from '../../../kit/text/provider-name.ts';
import { counted, moment } from '../../words/format.ts';
import { CreatePolicy, DeletePolicy, PolicyQuery, UpdatePolicy, type PolicyRow } from '../queries.ts';
import { draftOf, inputOf, newDraft, type Draft, PolicyForm } from './form.tsx';
import { ruleWords, useMayChange } from './page.tsx';

const crumbs = [
  ['Tags', '/tags'],
  ['Policies', '/tags/policies'],
] as const;

/** Page for a new policy. */
export function NewPolicyPage() {
  const [initial] = useState(newDraft);
  const [, go] = useLocation();
  const policy = useAct(CreatePolicy);
  const create = async (draft: Draft) => {
    if (!(await policy.act({ input: inputOf(draft) }))) return;
    done('Policy created. Resources are being evaluated.');
    go('/tags/policies');
  };
  return (
    <Page title="New tag policy" crumbs={crumbs} lead="Rules for the tags of resources.">
      <PolicyForm initial={initial} verb="Create policy" of={policy} onSubmit={create} />
    </Page>
  );
}

/** Policy page: a form, or its rules without write permission. */
export function PolicyPage() {
  const { id = '' } = useParams<{ id: string }>();
  const answer = useAnswer(PolicyQuery, { id });
  usePolling(answer, ({ tagPolicy }) => tagPolicy?.evaluating ?? false, 2000);
  return (
    <RecordPage
      of={answer}
      record={({ tagPolicy }) => tagPolicy}
      noun="tag policy"
      crumbs={crumbs}
      titleOf={({ name }) => name}
      leadOf={(policy) => <Violations policy={policy} />}
      actionsOf={(policy) => <Delete policy={policy} />}
    >
      {(policy) => <Policy key={policy.id} policy={policy} />}
    </RecordPage>
  );
}

interface Props {
  readonly policy: PolicyRow;
}

function Violations({ policy: { id, enabled, violationCount, evaluating } }: Props) {
  if (!enabled) return 'Disabled: resources are not evaluated.';
  if (evaluating) return 'Evaluating resources…';
  if (violationCount === 0) return 'No violations.';
  return <Link href={`/tags/violations?policy=${id}`}>{counted(violationCount, 'violation')}</Link>;
}

function Policy({ policy }: Props) {
  return useMayChange(policy) ? <Edit policy={policy} /> : <PolicyView policy={policy} />;
}

function Edit({ policy }: Props) {
  // Keeps the first version, on which the edits are based: the policy is refetched during editing.
  const [{ initial, updatedAt }] = useState(() => ({ initial: draftOf(policy), updatedAt: policy.updatedAt }));
  const [, go] = useLocation();
  const update = useAct(UpdatePolicy);
  const save = async (draft: Draft) => {
    const input = changesSince(updatedAt, inputOf(initial), inputOf(draft));
    if (Object.keys(input).length > 0) {
      if (!(await update.act({ id: policy.id, input }))) return;
      done('Policy saved. Resources are being evaluated again.');
    }
    go('/tags/policies');
  };
  return <PolicyForm initial={initial} verb="Save" of={update} onSubmit={save} />;
}

function Delete({ policy }: Props) {
  const [, go] = useLocation();
  if (!useMayChange(policy)) return null;
  return (
    <ConfirmButton
      label="Delete"
      title="Delete this policy?"
      verb="Delete"
      text={`“${policy.name}” and its violations are deleted. This cannot be undone. To keep it, disable it.`}
      mutation={DeletePolicy}
      variables={{ id: policy.id }}
      confirmation="Policy deleted."
      onDone={() => go('/tags/policies', { replace: true })}
    />
  );
}

/** Read-only view of a policy. */
function PolicyView({ policy }: { readonly policy: PolicyRow }) {
  const accountName = useAccountNames();
  const personName = usePeople();
  const { provider, accountId, resourceTypes, enabled, rules, createdAt, createdById } = policy;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
      <Card title="Rules">
        <Facts facts={rules.map((rule) => [rule.key, ruleWords(rule)])} />
      </Card>
      <Card title="Scope">
        <Facts
          facts={[
            ['Account', accountId ? accountName(accountId) : 'Every account'],
            ['Provider', provider ? providerName(provider) : 'Every provider'],
            ['Resource types', resourceTypes.length > 0 ? resourceTypes.join(', ') : 'Every type'],
            ['State', enabled ? 'Enabled' : 'Disabled'],
            ['Created', moment(createdAt)],
            ['Created by', personName(createdById)],
          ]}
        />
      </Card>
    </SimpleGrid>
  );
}
