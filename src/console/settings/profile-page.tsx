import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function ProfilePage() {
  return <Page title="ProfilePage">…</Page>;
}
