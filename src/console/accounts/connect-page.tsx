import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function ConnectPage() {
  return <Page title="ConnectPage">…</Page>;
}

/** Not written yet. */
export function ConnectProviderPage() {
  return <Page title="ConnectProviderPage">…</Page>;
}
