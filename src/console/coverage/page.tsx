import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function CoveragePage() {
  return <Page title="CoveragePage">…</Page>;
}
