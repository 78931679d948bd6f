import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function NotificationsPage() {
  return <Page title="NotificationsPage">…</Page>;
}
