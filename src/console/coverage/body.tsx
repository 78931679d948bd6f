import { Box, SimpleGrid, Stack } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { ShareBar } from '../charts/bar-list.tsx';
import chart from '../charts/chart.module.css';
import { rest } from '../charts/colours.ts';
import { ranked } from '../charts/legend.tsx';
import { costsHref } from '../costs/address.ts';
import { dayRange, useList, byAccount, byProvider, byRegion, byService, keysOf } from '../parts/list/definition.tsx';
import { ListCard, ListCsv } from '../parts/list/list.tsx';
import { DataTable, TwoLines, type Column, moneyColumn } from '../parts/list/table.tsx';
import type { UrlState } from '../parts/list/url-state.ts';
import { Card, FigureCard } from '../parts/page/card.tsx';
import { Caveats } from '../parts/page/caveats.tsx';
import { Empty } from '../parts/page/page.tsx';
import { PageTabs } from '../parts/page/tabs.tsx';
import { Provider } from '../parts/page/provider.tsx';
import { days as daysText, money, percent, regionName, wholeMoney } from '../words/format.ts';
import { type Coverage, type CoverageDaily, CoverageGapsQuery, type Gap } from './queries.ts';

/** Metrics of the range, and how its costs are split. */
export function CoverageBody({ coverage }: { readonly coverage: Coverage }) {
  const { startDate, endDate } = coverage;
  return (
    <Stack gap="md">
      <Caveats of={coverage} />
      <Figures coverage={coverage} />
      <Card title="Costs by pricing model" note={daysText(startDate, endDate)} flush>
        <Split coverage={coverage} />
      </Card>
    </Stack>
  );
}

function Figures({ coverage }: { readonly coverage: Coverage }) {
  const { currency, coveragePercent, utilizationPercent, unusedCommitmentCost } = coverage;
  const onDemand = coverage.split.find(({ kind }) => kind === 'ON_DEMAND')?.cost ?? 0;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="md">
      <FigureCard
        label="Coverage"
        value={coveragePercent === null ? '–' : percent(coveragePercent)}
        below={eligibleText(coverage)}
      />
      <FigureCard
        label="Utilization"
        value={utilizationPercent === null ? '–' : percent(utilizationPercent)}
        below={utilizationPercent === null ? 'No commitments' : 'of the commitment cost was used'}
      />
      <FigureCard
        label="Unused commitment cost"
        value={wholeMoney(unusedCommitmentCost, currency)}
        below="paid but unused"
      />
      <FigureCard label="On-demand" value={wholeMoney(onDemand, currency)} below="eligible but not covered" />
    </SimpleGrid>
  );
}

function eligibleText({ currency, coveragePercent, eligibleCost, coveredCost, unrecognizedCost }: Coverage): string {
  if (coveragePercent === null) return 'No usage eligible for commitments';
  const text = `${money(coveredCost, currency)} of ${money(eligibleCost, currency)}, at on-demand prices`;
  return unrecognizedCost > 0
    ? `${text}; a minimum, because ${money(unrecognizedCost, currency)} of usage has unknown meters`
    : text;
}

interface Part {
  readonly key: Coverage['split'][number]['kind'];
  readonly label: string;
  readonly colour: string;
  readonly cost: number;
  readonly percentage: number | null;
}

function Split({ coverage: { split, currency, totalCost } }: { readonly coverage: Coverage }) {
  const parts: Part[] = ranked(kinds).map(({ key, label, colour }) => {
    const part = split.find(({ kind }) => kind === key);
    return { key, label, colour, cost: part?.cost ?? 0, percentage: part?.percentage ?? null };
  });
  const shares = parts.map(({ label, percentage }) => `${label} ${percentage === null ? '–' : percent(percentage)}`);
  return (
    <>
      <Box px={16} pt={4} pb={8}>
        <ShareBar
          label={`Shares: ${shares.join(', ')}`}
          parts={parts.map(({ key, cost, colour }) => ({ key, colour, value: cost }))}
        />
      </Box>
      <DataTable
        label="Costs by pricing model"
        rows={parts}
        columns={columnsOf(currency)}
        keyOf={({ key }) => key}
        foot={{ 'Pricing model': 'Total', Cost: money(totalCost, currency), Share: totalCost === 0 ? '–' : '100%' }}
      />
    </>
  );
}

function columnsOf(currency: string): Column<Part>[] {
  return [
    {
      title: 'Pricing model',
      grow: true,
      cell: ({ key, label, colour }) => (
        <TwoLines
          top={
            <>
              <span className={chart.swatch} style={{ background: colour }} /> {label}
            </>
          }
          below={meanings[key]}
        />
      ),
    },
    { title: 'Cost', align: 'right', cell: ({ cost }) => money(cost, currency) },
    { title: 'Share', align: 'right', cell: ({ percentage }) => (percentage === null ? '–' : percent(percentage)) },
  ];
}

type Kind = Coverage['split'][number]['kind'];
type Day = CoverageDaily['days'][number];

/** Pricing models with label, colour and field of a day; bottom of the bar first, which is Other as in charts of costs. */
export const kinds = [
  { key: 'OTHER', label: 'Other', colour: rest, of: (day: Day) => day.other },
  { key: 'RESERVED', label: 'Reserved', colour: 'var(--chart-1)', of: (day: Day) => day.reserved },
  { key: 'SAVINGS_PLAN', label: 'Savings Plans', colour: 'var(--chart-5)', of: (day: Day) => day.savingsPlan },
  { key: 'SPOT', label: 'Spot', colour: 'var(--chart-4)', of: (day: Day) => day.spot },
  { key: 'ON_DEMAND', label: 'On-demand', colour: 'var(--chart-3)', of: (day: Day) => day.onDemand },
] as const satisfies readonly { key: Kind; label: string; colour: string; of: (day: Day) => number }[];

/** Explanation of each kind. */
const meanings: Readonly<Record<Kind, string>> = {
  RESERVED: 'Reservations, including unused ones',
  SAVINGS_PLAN: 'Savings Plans and committed spend, including unused commitments',
  SPOT: 'Usage at spot prices',
  ON_DEMAND: 'Eligible for commitments but not covered',
  OTHER: 'Not eligible for commitments: storage, transfer, tax, support, credits',
};

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
      title="Coverage by service"
      actions={<ListCsv list={gaps} />}
      label="Coverage by service"
      list={gaps}
      columns={columns}
      keyOf={({ provider, service, region }) => `${provider} ${service} ${region}`}
      hrefOf={({ provider, service, region }) =>
        costsHref({ provider, service, region, from: range?.startDate, to: range?.endDate })
      }
      noun={['entry', 'entries']}
      empty={
        <Empty
          icon={IconShieldCheck}
          title="Nothing to cover"
          text="No usage in this period is eligible for commitments."
        />
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
      <TwoLines top={service} below={<Provider slug={provider} more={regionName(region)} />} />
    ),
  },
  moneyColumn('On-demand', 'onDemandCost', { sortBy: 'on_demand_cost', hideOn: 'phone' }),
  moneyColumn('Covered', 'coveredCost', { sortBy: 'covered_cost', hideOn: 'phone' }),
  {
    title: 'Coverage',
    sortBy: 'coverage_percent',
    align: 'right',
    hideOn: 'phone',
    cell: ({ coveragePercent }) => (coveragePercent === null ? '–' : percent(coveragePercent)),
  },
  moneyColumn('Savings per month', 'estimatedMonthlySavings', { sortBy: 'estimated_monthly_savings' }),
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
