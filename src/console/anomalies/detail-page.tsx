import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function AnomalyPage() {
  return <Page title="AnomalyPage">…</Page>;
}
