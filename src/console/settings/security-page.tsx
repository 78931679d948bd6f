import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function SecurityPage() {
  return <Page title="SecurityPage">…</Page>;
}
