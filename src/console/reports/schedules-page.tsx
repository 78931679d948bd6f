import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function SchedulesPage() {
  return <Page title="SchedulesPage">…</Page>;
}
