import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function EditBudgetPage() {
  return <Page title="EditBudgetPage">…</Page>;
}

/** Not written yet. */
export function NewBudgetPage() {
  return <Page title="NewBudgetPage">…</Page>;
}
