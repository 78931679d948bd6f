import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function RecommendationsPage() {
  return <Page title="RecommendationsPage">…</Page>;
}
