import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function TokensPage() {
  return <Page title="TokensPage">…</Page>;
}
