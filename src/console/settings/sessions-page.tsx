import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function SessionsPage() {
  return <Page title="SessionsPage">…</Page>;
}
