import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function AlertRulesPage() {
  return <Page title="AlertRulesPage">…</Page>;
}
