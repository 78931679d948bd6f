import { Page } from '../parts/page.tsx';

/** Not written yet. */
export function ExchangeRatesPage() {
  return <Page title="ExchangeRatesPage">…</Page>;
}
