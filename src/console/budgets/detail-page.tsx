import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function BudgetPage() {
  return <Page title="BudgetPage">…</Page>;
}
