import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function PlannerPage() {
  return <Page title="PlannerPage">…</Page>;
}
