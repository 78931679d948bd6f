import { byAccount, byProvider, byRegion, byService, keysOf } from '../parts/list/definition.tsx';
import type { UrlState } from '../parts/list/url-state.ts';
import { PageTabs } from '../parts/page/page.tsx';

/** Filters shared by both pages. */
export const scopeFilters = { accountId: byAccount, provider: byProvider, service: byService, region: byRegion };

/** Tabs of the two pages; the links keep the filters. */
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
