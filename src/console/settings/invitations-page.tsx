import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function InvitationsPage() {
  return <Page title="InvitationsPage">…</Page>;
}
