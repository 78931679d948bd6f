import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function AccountPage() {
  return <Page title="AccountPage">…</Page>;
}
