import { IconShieldCheck } from '@tabler/icons-react';
import { useMemo } from 'react';
import { sortValue } from '../api/sort.ts';
import { useAnswer } from '../api/use-answer.ts';
import { costsHref } from '../costs/address.ts';
import { CsvButton, queryOf } from '../parts/csv-button.tsx';
import { Empty } from '../parts/empty.tsx';
import { ListCard } from '../parts/list.tsx';
import { TwoLines, type Column } from '../parts/table.tsx';
import { pageOf, type UrlState } from '../parts/url-state.ts';
import { money, percent } from '../words/format.ts';
import { providerName, regionName } from '../words/names.ts';
import { scopeKeys, type scopeOf } from './filters.tsx';
import { CoverageGapsQuery, type Coverage, type Gap } from './queries.ts';

interface Props {
  readonly scope: ReturnType<typeof scopeOf>;
  readonly days: { readonly startDate: string | undefined; readonly endDate: string | undefined };
  readonly state: UrlState;
  /** The days as the API took them; null while they are not known. */
  readonly range: Coverage | null;
}

const usualSort = '-estimated_monthly_savings';

/** Services and regions with usage that commitments could cover, the largest saving first. */
export function GapsCard({ scope, days, state, range }: Props) {
  const sort = state.one('sort') ?? usualSort;
  const answer = useAnswer(CoverageGapsQuery, { ...scope, ...days, sortBy: sortValue(sort), page: pageOf(state) });
  const query = queryOf({
    start_date: days.startDate,
    end_date: days.endDate,
    account_id: scope.accountId,
    provider: scope.provider,
    service: scope.service,
    region: scope.region,
    sort_by: sort,
  });
  const columns = useMemo(() => columnsOf(), []);
  return (
    <ListCard
      title="Gaps"
      actions={<CsvButton path={`/coverage/gaps${query}`} name="coverage-gaps" />}
      label="Coverage gaps"
      of={answer}
      page={({ coverageGaps }) => coverageGaps}
      columns={columns}
      keyOf={({ provider, service, region }) => `${provider} ${service} ${region}`}
      hrefOf={({ provider, service, region }) =>
        costsHref({ provider, service, region, from: range?.startDate, to: range?.endDate })
      }
      state={state}
      sort={sort}
      noun={['gap']}
      filters={[...scopeKeys, 'from', 'to']}
      empty={
        <Empty icon={IconShieldCheck} title="No gaps" text="These days have no usage that a commitment could cover." />
      }
    />
  );
}

function columnsOf(): Column<Gap>[] {
  return [
    {
      key: 'service',
      title: 'Service',
      sortBy: 'service',
      grow: true,
      cell: ({ service, provider, region }) => (
        <TwoLines top={service} below={`${providerName(provider)} · ${regionName(region)}`} />
      ),
    },
    {
      key: 'demand',
      title: 'On demand',
      sortBy: 'on_demand_cost',
      align: 'right',
      hideOn: 'phone',
      cell: ({ onDemandCost, currency }) => money(onDemandCost, currency),
    },
    {
      key: 'covered',
      title: 'Covered',
      sortBy: 'covered_cost',
      align: 'right',
      hideOn: 'phone',
      cell: ({ coveredCost, currency }) => money(coveredCost, currency),
    },
    {
      key: 'coverage',
      title: 'Coverage',
      sortBy: 'coverage_percent',
      align: 'right',
      hideOn: 'phone',
      cell: ({ coveragePercent }) => (coveragePercent === null ? '–' : percent(coveragePercent)),
    },
    {
      key: 'savings',
      title: 'Could save a month',
      sortBy: 'estimated_monthly_savings',
      align: 'right',
      cell: ({ estimatedMonthlySavings, currency }) => money(estimatedMonthlySavings, currency),
    },
  ];
}
