import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function NewPolicyPage() {
  return <Page title="NewPolicyPage">…</Page>;
}

/** Not written yet. */
export function PolicyPage() {
  return <Page title="PolicyPage">…</Page>;
}
