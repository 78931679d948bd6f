import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function JoinPage() {
  return <Page title="JoinPage">…</Page>;
}
