import { Box } from '@mantine/core';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { useAnswer } from '../api/use-api.ts';
import { Legend } from '../charts/legend.tsx';
import { StackedBars } from '../charts/stacked-bars.tsx';
import { costsHref } from '../costs/address.ts';
import { lastCompleteDay } from '../costs/period.ts';
import { chartOf } from '../costs/stacks.ts';
import { sumOf } from '../costs/table/rows.ts';
import type { DayRange } from '../parts/list/day-range.tsx';
import { OneOf } from '../parts/list/filters.tsx';
import { useUrlState } from '../parts/list/url-state.ts';
import { Card } from '../parts/page/card.tsx';
import { Shown, TextLink } from '../parts/page/page.tsx';
import { addDays } from '../words/days.ts';
import { day, days, money } from '../words/format.ts';
import { CostsSplit, topParts, useAgainWhen, type Spend, type SplitDays, type TrendGroup } from './queries.ts';

const choices: { value: TrendGroup; label: string }[] = [
  { value: 'service', label: 'Service' },
  { value: 'account', label: 'Account' },
  { value: 'provider', label: 'Provider' },
];

const groupBys = { service: 'SERVICE', account: 'ACCOUNT', provider: 'PROVIDER' } as const;

/** Services with their own colour. */
const most = 8;

interface Props {
  readonly spend: Spend;
  readonly loaded: string | null;
}

/** Bar chart of the last 30 days. */
export function TrendCard({ spend, loaded }: Props) {
  const state = useUrlState();
  const group = choices.find(({ value }) => value === state.one('by'))?.value ?? 'service';
  const completeThrough = spend.costsDaily?.completeThrough ?? null;
  const to = lastCompleteDay(completeThrough);
  const range = useMemo(() => ({ from: addDays(to, -29), to }), [to]);
  const services = useMemo(() => [...new Set(spend.costsByService?.groups.map(({ service }) => service))], [spend]);
  const split = useAnswer(CostsSplit, {
    startDate: range.from,
    endDate: range.to,
    groupBy: groupBys[group],
    service: group === 'service' && services.length > 0 ? services.slice(0, most) : undefined,
  });
  useAgainWhen(loaded, split);
  const period = days(range.from, range.to);
  return (
    <Card
      title="Last 30 days"
      note={completeThrough === null ? period : `${period} · complete through ${day(completeThrough)}`}
      actions={
        <>
          <OneOf state={state} name="by" label="Split by" choices={choices} />
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
            hasMore={services.length > most}
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
    const hasOthers = all.length > most || (group === 'service' && hasMore);
    const completeThrough = spend.costsDaily?.completeThrough ?? null;
    const of = { range, granularity: 'daily', total, parts: all.slice(0, most), hasOthers, completeThrough } as const;
    return { chart: chartOf(of), sum: sumOf(total.map(({ cost }) => cost)) };
  }, [spend, group, range, hasMore, split]);
  return (
    <>
      <StackedBars
        label={`Costs per day by ${group}, ${days(range.from, range.to)}: ${money(sum, currency)} in total`}
        stacks={chart.stacks}
        series={chart.series}
        currency={currency}
        height={250}
        onPick={({ key }) => go(costsHref({ from: key, to: key, group }))}
      />
      <Box mt="sm">
        <Legend items={chart.series} />
      </Box>
    </>
  );
}
