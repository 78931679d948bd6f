import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function MembersPage() {
  return <Page title="MembersPage">…</Page>;
}
