import { byAccount, byProvider, byRegion, byService, keysOf } from '../parts/list/definition.tsx';
import type { UrlState } from '../parts/list/url-state.ts';
import { PageTabs } from '../parts/page/page.tsx';

/** Filters that both pages have. */
export const scopeFilters = { accountId: byAccount, provider: byProvider, service: byService, region: byRegion };

/** The two pages. Filters go along from one to the other. */
export function CoverageTabs({ state }: { readonly state: UrlState }) {
  const keys = keysOf(scopeFilters);
  const query = new URLSearchParams(keys.flatMap((key) => state.all(key).map((value) => [key, value]))).toString();

  const tail = query === '' ? '' : `?${query}`;
  return (
    <PageTabs
      label="Coverage"
      tabs={[
        ['Coverage', `/coverage${tail}`],
        ['Planner', `/coverage/planner${tail}`],
      ]}
    />
  );
}
