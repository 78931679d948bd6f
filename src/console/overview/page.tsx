import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function OverviewPage() {
  return <Page title="OverviewPage">…</Page>;
}
