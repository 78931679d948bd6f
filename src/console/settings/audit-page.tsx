import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function AuditPage() {
  return <Page title="AuditPage">…</Page>;
}
