import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function ReportsPage() {
  return <Page title="ReportsPage">…</Page>;
}
