import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { useMe } from '../api/me.tsx';
import { useAct, useAnswer } from '../api/use-api.ts';
import { LeftOut } from '../costs/from-view/left-out.tsx';
import { costMetricOf, originOf, scopeOfView, viewKey } from '../costs/from-view/prefill.ts';
import { done } from '../parts/form/dialog.tsx';
import { changesSince } from '../parts/form/changed-fields.ts';
import { useUrlState } from '../parts/list/url-state.ts';
import { Page, RecordPage, TextLink } from '../parts/page/page.tsx';
import { BudgetFormFields, blank, formOf, valuesOf, type BudgetForm } from './budget-form.tsx';
import { BudgetQuery, CreateBudget, UpdateBudget, type BudgetDetails } from './queries.ts';

/** Page for a new budget. */
export function NewBudgetPage() {
  const { organization } = useMe();
  const [, go] = useLocation();
  const create = useAct(CreateBudget);
  const view = originOf(useUrlState());
  const scope = view && scopeOfView(view);
  const initial = { ...blank, ...scope?.values, ...(view && { costMetric: costMetricOf(view) }) };
  const save = async (form: BudgetForm) => {
    const made = (await create.act({ input: valuesOf(form) }))?.createBudget;
    if (!made) return;
    go(`/budgets/${made.id}`, { replace: true });
    done(`Budget ${made.name} created`);
  };
  return (
    <Page
      title="New budget"
      lead="A spending limit per month, quarter or year, with alerts."
      crumbs={[['Budgets', '/budgets']]}
      reads={[viewKey]}
    >
      <LeftOut noun="budget" left={scope?.left ?? []} />
      <BudgetFormFields
        initial={initial}
        currency={organization.currency}
        isMine
        verb="Create budget"
        of={create}
        back="/budgets"
        onSave={save}
      />
    </Page>
  );
}

/** Page for editing a budget. */
export function EditBudgetPage() {
  const { id = '' } = useParams<{ id: string }>();
  return (
    <RecordPage
      of={useAnswer(BudgetQuery, { id })}
      record={(data) => data.budget}
      noun="budget"
      crumbs={[['Budgets', '/budgets']]}
      titleOf={() => 'Edit budget'}
      leadOf={({ name }) => <TextLink href={`/budgets/${id}`}>{name}</TextLink>}
    >
      {(budget) => <Edit key={id} budget={budget} />}
    </RecordPage>
  );
}

function Edit({ budget: read }: { readonly budget: BudgetDetails }) {
  // Keeps the first version, on which the edits are based: the budget is refetched during editing.
  const [budget] = useState(read);
  const { user } = useMe();
  const [, go] = useLocation();
  const update = useAct(UpdateBudget);
  const back = `/budgets/${budget.id}`;
  const initial = formOf(budget);
  const save = async (form: BudgetForm) => {
    const changes = changesSince(budget.updatedAt, valuesOf(initial), valuesOf(form));
    if (Object.keys(changes).length === 0) return go(back, { replace: true });
    const changed = (await update.act({ id: budget.id, input: changes }))?.updateBudget;
    if (!changed) return undefined;
    go(back, { replace: true });
    return done(`Budget ${changed.name} saved`);
  };
  return (
    <BudgetFormFields
      initial={initial}
      currency={budget.currency}
      isMine={budget.createdById === user.id}
      verb="Save changes"
      of={update}
      back={back}
      onSave={save}
    />
  );
}
