import { Box } from '@mantine/core';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { useAgainWhen, useAnswer } from '../api/use-api.ts';
import { coloured } from '../charts/colours.ts';
import { Legend } from '../charts/legend.tsx';
import { StackChart } from '../charts/stack-chart.tsx';
import { costsHref, type CostsQuestion } from '../costs/address.ts';
import { lastDayOf } from '../costs/last-day.ts';
import { placed, useNotes } from '../costs/notes/queries.ts';
import { chartOf } from '../costs/stacks.ts';
import { DailyCosts } from '../costs/totals.ts';
import { changeOf, fromMicros, micros, sumOf } from '../costs/table/rows.ts';
import type { DayRange } from '../parts/list/day-range.tsx';
import { OneOf } from '../parts/list/filters.tsx';
import { DataTable, type Column } from '../parts/list/table.tsx';
import { useUrlState } from '../parts/list/url-state.ts';
import { Card, Change, Money } from '../parts/page/card.tsx';
import { Shown, TextLink } from '../parts/page/page.tsx';
import { Provider } from '../parts/page/provider.tsx';
import { addDays } from '../words/days.ts';
import { days, day, money } from '../words/format.ts';
import type { MonthToDate } from './headlines.tsx';
import { OverviewTops, type Tops, topParts, type Spend, type SplitDays, type TrendGroup } from './queries.ts';

/** Rows per card. */
const most = 6;

interface TopRow {
  readonly key: string;
  readonly name: string;
  readonly provider: string;
  readonly cost: number;
  readonly before: number;
  /** Explorer filter for the row. */
  readonly filter: CostsQuestion;
}

interface Props {
  readonly month: MonthToDate;
  readonly loaded: string | null;
}

/** Top services of the month to date, compared with the same days of the previous month. */
export function TopServices(props: Props) {
  return <TopCard title="Top services" group="service" {...props} />;
}

/** Top accounts of the month to date, compared with the same days of the previous month. */
export function TopAccounts(props: Props) {
  return <TopCard title="Top accounts" group="account" {...props} />;
}

interface CardProps extends Props {
  readonly title: string;
  readonly group: 'service' | 'account';
}

function TopCard({ month, loaded, ...props }: CardProps) {
  const { days: range, before, unknownChange } = month;
  const variables = { startDate: range.from, endDate: range.to, limit: most };
  const answer = useAnswer(OverviewTops, variables, { isLasting: true });
  useAgainWhen(loaded, answer);
  const { title, group } = props;
  return (
    <Card
      flush
      title={title}
      note={`${days(range.from, range.to)}${unknownChange === null ? ` vs. ${days(before.from, before.to)}` : ''}`}
      actions={
        <TextLink href={costsHref({ ...range, group })} aria-label={`All ${group}s`}>
          All
        </TextLink>
      }
    >
      <Shown of={answer} height={260}>
        {(data) => {
          const costs = data[`${group}s`];
          return costs && <TopTable costs={costs} month={month} {...props} />;
        }}
      </Shown>
    </Card>
  );
}

function TopTable({ title, group, costs, month }: Omit<CardProps, 'loaded'> & { readonly costs: Tops }) {
  const { days: range, before, unknownChange } = month;
  const { currency } = costs;
  const rows = useMemo(() => topRows(costs, group), [costs, group]);
  const against = days(before.from, before.to);
  const changeColumn: Column<TopRow> = {
    title: 'Change',
    align: 'right',
    cell: (row) => (
      <Change
        percent={changeOf(row.cost, row.before)}
        amount={{ value: differenceOf(row), before: row.before, currency }}
        against={against}
      />
    ),
  };
  const columns: Column<TopRow>[] = [
    { title: 'Name', grow: true, cell: ({ name }) => name },
    { title: 'Provider', hideOn: 'half', cell: ({ provider }) => <Provider slug={provider} /> },
    { title: 'Cost', align: 'right', cell: ({ cost }) => <Money value={cost} currency={currency} /> },
    ...(unknownChange === null ? [changeColumn] : []),
  ];
  return (
    <DataTable
      label={`${title}, ${days(range.from, range.to)}`}
      rows={rows}
      columns={columns}
      keyOf={({ key }) => key}
      // `drill` skips the meter step for services without meters, such as support.
      hrefOf={({ filter }) =>
        costsHref({ ...range, ...filter, ...(group === 'service' && { drill: 'true' as const }) })
      }
    />
  );
}

function differenceOf({ cost, before }: TopRow): number {
  return fromMicros(micros(cost) - micros(before));
}

function topRows({ rows }: Tops, group: CardProps['group']): TopRow[] {
  return rows.map(({ keyList: [own, of], cost, previousCost }) => {
    const [value, provider] = [own?.value ?? '', of?.value ?? ''];
    const filter = { [group]: value, provider };
    return {
      key: `${provider}/${value}`,
      name: own?.label ?? value,
      provider,
      cost,
      before: previousCost ?? 0,
      filter,
    };
  });
}

const choices: { value: TrendGroup; label: string }[] = [
  { value: 'service', label: 'Service' },
  { value: 'account', label: 'Account' },
  { value: 'provider', label: 'Provider' },
];

const groupBys = { service: 'SERVICE', account: 'ACCOUNT', provider: 'PROVIDER' } as const;

interface TrendCardProps {
  readonly spend: Spend;
  readonly loaded: string | null;
}

/** Bar chart of the last 30 days. */
export function TrendCard({ spend, loaded }: TrendCardProps) {
  const state = useUrlState();
  const group = choices.find(({ value }) => value === state.one('by'))?.value ?? 'service';
  const to = lastDayOf(spend);
  const range = useMemo(() => ({ from: addDays(to, -29), to }), [to]);
  const services = useMemo(() => [...new Set(spend.costsByService?.groups.map(({ service }) => service))], [spend]);
  // Requests only the services that the chart shows: an organization can have 20,000.
  const split = useAnswer(DailyCosts, {
    startDate: range.from,
    endDate: range.to,
    groupBy: groupBys[group],
    service: group === 'service' && services.length > 0 ? services.slice(0, coloured) : undefined,
  });
  useAgainWhen(loaded, split);
  const period = days(range.from, range.to);
  return (
    <Card
      title="Last 30 days"
      note={`${period} · complete through ${day(to)}`}
      actions={
        <>
          <OneOf state={state} name="by" label="Group by" choices={choices} />
          <TextLink href={costsHref({ ...range, group })}>Explore</TextLink>
        </>
      }
    >
      <Shown of={split} height={290}>
        {({ costsDaily }) => (
          <Trend
            spend={spend}
            group={group}
            range={range}
            hasMore={services.length > coloured}
            split={costsDaily?.days ?? none}
          />
        )}
      </Shown>
    </Card>
  );
}

const none: readonly never[] = [];

interface TrendProps {
  readonly spend: Spend;
  readonly group: TrendGroup;
  readonly range: DayRange;
  /** Whether there are services beyond the requested ones. */
  readonly hasMore: boolean;
  readonly split: SplitDays;
}

function Trend({ spend, group, range, hasMore, split }: TrendProps) {
  const [, go] = useLocation();
  const { currency = 'USD' } = spend.costsDaily ?? {};
  const { chart, sum } = useMemo(() => {
    const total = (spend.costsDaily?.days ?? []).filter(({ date }) => date >= range.from && date <= range.to);
    const all = topParts(split, group);
    // The remainder of a day belongs to groups after the first ones and to services that were not requested.
    const hasOthers = all.length > coloured || (group === 'service' && hasMore);
    const lastCompleteDay = spend.costsDaily?.lastCompleteDay ?? null;
    const of = {
      range,
      granularity: 'daily',
      total,
      parts: all.slice(0, coloured),
      hasOthers,
      lastCompleteDay,
    } as const;
    return { chart: chartOf(of), sum: sumOf(total.map(({ cost }) => cost)) };
  }, [spend, group, range, hasMore, split]);
  const notes = useNotes({ range, filters: none });
  const placedNotes = useMemo(() => placed(notes, chart.stacks), [notes, chart.stacks]);
  return (
    <>
      <StackChart
        label={`Costs per day by ${group}, ${days(range.from, range.to)}: ${money(sum, currency)} in total`}
        stacks={chart.stacks}
        series={chart.series}
        currency={currency}
        height={250}
        notes={placedNotes}
        onPick={({ key }) => go(costsHref({ ...range, group, day: key }))}
      />
      <Box mt="sm">
        <Legend items={chart.series} />
      </Box>
    </>
  );
}
