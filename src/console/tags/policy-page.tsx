import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { useAct } from '../api/use-act.ts';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { done } from '../parts/done.ts';
import { Empty } from '../parts/empty.tsx';
import { Page } from '../parts/page.tsx';
import { usePolling } from '../parts/polling.ts';
import { Shown } from '../parts/shown.tsx';
import { counted } from '../words/format.ts';
import { draftOf, inputOf, newDraft, type Draft } from './draft.ts';
import { PolicyForm } from './policy-form.tsx';
import { PolicyView } from './policy-view.tsx';
import { CreatePolicy, DeletePolicy, UpdatePolicy, type PolicyRow } from './queries.ts';
import { usePolicies } from './use-policies.ts';
import { useMayChange } from './use-may-change.ts';

const crumbs = [
  ['Tags', '/tags'],
  ['Policies', '/tags/policies'],
] as const;

/** Makes a policy. */
export function NewPolicyPage() {
  const [initial] = useState(newDraft);
  const [, go] = useLocation();
  const { act, isBusy, refusal } = useAct(CreatePolicy);
  const create = async (draft: Draft) => {
    if (!(await act({ input: inputOf(draft) }))) return;
    done('Policy created. Resources are being evaluated.');
    go('/tags/policies');
  };
  return (
    <Page title="New tag policy" crumbs={crumbs} lead="Says what is expected of the tags of resources.">
      <PolicyForm
        initial={initial}
        verb="Make the policy"
        isBusy={isBusy}
        refusal={refusal}
        onSubmit={(draft) => void create(draft)}
      />
    </Page>
  );
}

/** One policy: a form for those who may change it, its rules for the others. */
export function PolicyPage() {
  const { id = '' } = useParams<{ id: string }>();
  const { answer, policies } = usePolicies();
  const policy = policies.find((one) => one.id === id) ?? null;
  usePolling(answer, () => policy?.evaluating ?? false, 2000);
  return (
    <Page
      title={policy?.name ?? 'Tag policy'}
      crumbs={crumbs}
      lead={policy && <Violations policy={policy} />}
      actions={policy && <Delete policy={policy} />}
    >
      <Shown of={answer} height={500}>
        {() => (policy ? <Policy key={policy.id} policy={policy} /> : <NoPolicy />)}
      </Shown>
    </Page>
  );
}

function NoPolicy() {
  return (
    <Empty
      title="There is no such policy"
      action={
        <Button component={Link} href="/tags/policies">
          To the policies
        </Button>
      }
    />
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
  const [initial] = useState(() => draftOf(policy));
  const [, go] = useLocation();
  const { act, isBusy, refusal } = useAct(UpdatePolicy);
  const save = async (draft: Draft) => {
    if (!(await act({ id: policy.id, input: inputOf(draft) }))) return;
    done('Policy saved. Resources are being evaluated again.');
    go('/tags/policies');
  };
  return (
    <PolicyForm
      initial={initial}
      verb="Save"
      isBusy={isBusy}
      refusal={refusal}
      onSubmit={(draft) => void save(draft)}
    />
  );
}

function Delete({ policy }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [, go] = useLocation();
  const { act, isBusy, refusal } = useAct(DeletePolicy);
  if (!useMayChange(policy)) return null;
  const remove = async () => {
    if (!(await act({ id: policy.id }))) return;
    done('The policy is deleted.');
    go('/tags/policies', { replace: true });
  };
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Delete
      </Button>
      <ConfirmDialog
        title="Delete this policy"
        verb="Delete"
        text={`“${policy.name}” and its violations are deleted. This cannot be undone. To keep it, disable it.`}
        isOpen={isOpen}
        isBusy={isBusy}
        refusal={refusal}
        onSubmit={() => void remove()}
        onClose={() => setOpen(false)}
      />
    </>
  );
}
