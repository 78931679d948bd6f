import { Button } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { useMay } from '../api/me.tsx';
import { useAct } from '../api/use-act.ts';
import { useAnswer } from '../api/use-answer.ts';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { done } from '../parts/done.ts';
import { Empty } from '../parts/empty.tsx';
import { Page } from '../parts/page.tsx';
import { useScopeWords } from '../parts/scope.tsx';
import { Shown } from '../parts/shown.tsx';
import { BudgetBody } from './detail-body.tsx';
import { BudgetQuery, DeleteBudget, type BudgetDetails } from './queries.ts';

/** A budget: how its month goes, whom it tells. */
export function BudgetPage() {
  const { id = '' } = useParams<{ id: string }>();
  const answer = useAnswer(BudgetQuery, { id });
  const scopeWords = useScopeWords();
  const budget = answer.data?.budget ?? null;
  return (
    <Page
      title={budget?.name ?? 'Budget'}
      lead={budget && scopeWords(budget)}
      crumbs={[['Budgets', '/budgets']]}
      actions={budget && <Actions budget={budget} />}
    >
      <Shown of={answer} height={480}>
        {(data) => (data.budget ? <BudgetBody budget={data.budget} /> : <Empty title="There is no such budget" />)}
      </Shown>
    </Page>
  );
}

function Actions({ budget }: { readonly budget: BudgetDetails }) {
  const mayWrite = useMay('budgets.write');
  const [isAsking, setAsking] = useState(false);
  const [, go] = useLocation();
  const { act, isBusy, refusal, clear } = useAct(DeleteBudget);
  if (!mayWrite) return null;
  const remove = async () => {
    if (!(await act({ id: budget.id }))) return;
    go('/budgets', { replace: true });
    done(`Budget ${budget.name} was deleted`);
  };
  const close = () => {
    setAsking(false);
    clear();
  };
  return (
    <>
      <Button
        variant="default"
        component={Link}
        href={`/budgets/${budget.id}/edit`}
        leftSection={<IconPencil size={15} aria-hidden />}
      >
        Edit
      </Button>
      <Button variant="default" leftSection={<IconTrash size={15} aria-hidden />} onClick={() => setAsking(true)}>
        Delete
      </Button>
      <ConfirmDialog
        title="Delete this budget?"
        verb="Delete budget"
        isOpen={isAsking}
        isBusy={isBusy}
        refusal={refusal}
        text={`“${budget.name}” and the alerts it gave are deleted for everybody. Costs are not touched. This cannot be undone.`}
        onSubmit={() => void remove()}
        onClose={close}
      />
    </>
  );
}
