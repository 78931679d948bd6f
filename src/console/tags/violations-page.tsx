import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function ViolationsPage() {
  return <Page title="ViolationsPage">…</Page>;
}
