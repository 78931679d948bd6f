import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function AccountsPage() {
  return <Page title="AccountsPage">…</Page>;
}
