import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function InventoryPage() {
  return <Page title="InventoryPage">…</Page>;
}
