import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function TagsPage() {
  return <Page title="TagsPage">…</Page>;
}
