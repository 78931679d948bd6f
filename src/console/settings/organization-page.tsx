import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function OrganizationPage() {
  return <Page title="OrganizationPage">…</Page>;
}
