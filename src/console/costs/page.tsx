import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function CostsPage() {
  return <Page title="CostsPage">…</Page>;
}
