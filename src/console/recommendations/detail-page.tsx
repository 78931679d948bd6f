import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function RecommendationPage() {
  return <Page title="RecommendationPage">…</Page>;
}
