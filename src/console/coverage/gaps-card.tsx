import { IconShieldCheck } from '@tabler/icons-react';
import { costsHref } from '../costs/address.ts';
import { dayRange, useList, byAccount, byProvider, byRegion, byService, keysOf } from '../parts/list/definition.tsx';
import { ListCard, ListCsv } from '../parts/list/list.tsx';
import { TwoLines, type Column } from '../parts/list/table.tsx';
import type { UrlState } from '../parts/list/url-state.ts';
import { Empty, PageTabs } from '../parts/page/page.tsx';
import { money, percent, providerName, regionName } from '../words/format.ts';
import { CoverageGapsQuery, type Coverage, type Gap } from './queries.ts';

/** Filters shared by both pages. */
export const scopeFilters = { accountId: byAccount, provider: byProvider, service: byService, region: byRegion };

const list = {
  csv: ['/coverage/gaps', 'coverage-gaps'],
  sort: '-estimated_monthly_savings',
  filters: { ...scopeFilters, ...dayRange() },
} as const;

/** Services and regions with usage that commitments could cover, largest saving first.
 *  @param props `range`: the range used by the API; null while unknown */
export function GapsCard({ range }: { readonly range: Coverage | null }) {
  const gaps = useList(list, CoverageGapsQuery);
  return (
    <ListCard
      title="Gaps"
      actions={<ListCsv list={gaps} />}
      label="Coverage gaps"
      list={gaps}
      columns={columns}
      keyOf={({ provider, service, region }) => `${provider} ${service} ${region}`}
      hrefOf={({ provider, service, region }) =>
        costsHref({ provider, service, region, from: range?.startDate, to: range?.endDate })
      }
      noun={['gap']}
      empty={
        <Empty icon={IconShieldCheck} title="No gaps" text="No usage in these days is eligible for commitments." />
      }
    />
  );
}

const columns: readonly Column<Gap>[] = [
  {
    title: 'Service',
    sortBy: 'service',
    grow: true,
    cell: ({ service, provider, region }) => (
      <TwoLines top={service} below={`${providerName(provider)} · ${regionName(region)}`} />
    ),
  },
  {
    title: 'On demand',
    sortBy: 'on_demand_cost',
    align: 'right',
    hideOn: 'phone',
    cell: ({ onDemandCost, currency }) => money(onDemandCost, currency),
  },
  {
    title: 'Covered',
    sortBy: 'covered_cost',
    align: 'right',
    hideOn: 'phone',
    cell: ({ coveredCost, currency }) => money(coveredCost, currency),
  },
  {
    title: 'Coverage',
    sortBy: 'coverage_percent',
    align: 'right',
    hideOn: 'phone',
    cell: ({ coveragePercent }) => (coveragePercent === null ? '–' : percent(coveragePercent)),
  },
  {
    title: 'Savings per month',
    sortBy: 'estimated_monthly_savings',
    align: 'right',
    cell: ({ estimatedMonthlySavings, currency }) => money(estimatedMonthlySavings, currency),
  },
];

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
