import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function AlertRulePage() {
  return <Page title="AlertRulePage">…</Page>;
}

/** Not written yet. */
export function NewAlertRulePage() {
  return <Page title="NewAlertRulePage">…</Page>;
}
