import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function PoliciesPage() {
  return <Page title="PoliciesPage">…</Page>;
}
