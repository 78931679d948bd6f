import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function ResourcePage() {
  return <Page title="ResourcePage">…</Page>;
}
