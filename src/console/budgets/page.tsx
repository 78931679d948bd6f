import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function BudgetsPage() {
  return <Page title="BudgetsPage">…</Page>;
}
