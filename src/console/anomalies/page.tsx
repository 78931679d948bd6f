import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function AnomaliesPage() {
  return <Page title="AnomaliesPage">…</Page>;
}
