import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function TagKeyPage() {
  return <Page title="TagKeyPage">…</Page>;
}
