import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function ForecastPage() {
  return <Page title="ForecastPage">…</Page>;
}
