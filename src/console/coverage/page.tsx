import { Group, Stack } from '@mantine/core';
import { useMemo } from 'react';
import { useMe } from '../api/me.tsx';
import { useAnswer } from '../api/use-api.ts';
import { Legend } from '../charts/legend.tsx';
import { StackChart } from '../charts/stack-chart.tsx';
import { useLastDay } from '../costs/last-day.ts';
import {
  askedDays,
  BadAddress,
  chosenDays,
  dayFaults,
  DayRangePicker,
  presetFaults,
  presetIn,
} from '../parts/list/day-range.tsx';
import { keysOf, questionOf, strangerFaults, type QuestionOf } from '../parts/list/definition.tsx';
import { OneOf } from '../parts/list/filters.tsx';
import { FilterControls } from '../parts/list/list.tsx';
import { useUrlState, type UrlState } from '../parts/list/url-state.ts';
import { Card } from '../parts/page/card.tsx';
import { Caveats } from '../parts/page/caveats.tsx';
import { NoData } from '../parts/page/no-data.tsx';
import { Empty, Page, Shown } from '../parts/page/page.tsx';
import { Views } from '../parts/views/menu.tsx';
import { day, days as daysText, money, shortDay } from '../words/format.ts';
import { CoverageBody, kinds, CoverageTabs, scopeFilters, GapsCard } from './body.tsx';
import { CoverageDailyQuery, CoverageQuery, type CoverageDaily } from './queries.ts';

/** Coverage page: costs by pricing model, and coverage and utilization of commitments. */
export function CoveragePage() {
  const state = useUrlState();
  const { costsLoaded, fiscalYearStartMonth: fiscalStart } = useMe().organization;
  const scope = questionOf(scopeFilters, state);
  const lastDay = useLastDay();
  const preset = presetIn(state);
  const { from, to } = askedDays(state, { lastDay, fiscalStart });
  const faults = [
    ...dayFaults({ from, to }),
    ...presetFaults(state),
    ...strangerFaults(state, 'view', ['all', 'coverable']),
  ];
  const isUnknown = faults.length > 0 || (preset !== null && lastDay === null);
  const answer = useAnswer(CoverageQuery, { ...scope, startDate: from, endDate: to }, { pause: isUnknown });
  const found = answer.data?.coverage ?? null;
  return (
    <Page
      actions={<Views page="COVERAGE" />}
      title="Coverage"
      lead="Commitment coverage and utilization."
      reads={[...keysOf(scopeFilters), 'from', 'to', 'days', 'view', 'sort', 'page', 'rows']}
    >
      <CoverageTabs state={state} />
      {faults.length > 0 ? (
        <BadAddress state={state} faults={faults} what="coverage" />
      ) : !costsLoaded ? (
        <Card>
          <NoData title="No complete days" />
        </Card>
      ) : (
        <>
          <FilterControls filters={scopeFilters} state={state} keys={['from', 'to', 'days']}>
            <DayRangePicker
              key={`${found?.startDate} ${found?.endDate}`}
              lastDay={lastDay}
              preset={preset}
              value={{ from: from ?? found?.startDate ?? '', to: to ?? found?.endDate ?? '' }}
              onChange={(range, name) => state.set(chosenDays(range, name))}
            />
          </FilterControls>
          <Shown of={answer} height={320}>
            {({ coverage }) => coverage && <CoverageBody coverage={coverage} />}
          </Shown>
          <DailyCard scope={scope} state={state} />
          <GapsCard range={found} />
        </>
      )}
    </Page>
  );
}

interface Props {
  readonly scope: QuestionOf<typeof scopeFilters>;
  readonly state: UrlState;
}

const views = [
  { value: 'all', label: 'All costs' },
  { value: 'coverable', label: 'Hide ineligible' },
];

/** Last 90 days, independent of the selected range. */
function DailyCard({ scope, state }: Props) {
  const answer = useAnswer(CoverageDailyQuery, scope);
  const found = answer.data?.coverageDaily;
  return (
    <Card title="The last 90 days" note={found && daysText(found.startDate, found.endDate)}>
      <Shown of={answer} height={320}>
        {({ coverageDaily }) =>
          coverageDaily && coverageDaily.days.length > 0 ? (
            <Chart daily={coverageDaily} state={state} />
          ) : (
            <Empty title="No complete days" text="Shown once the bills of a day are complete." />
          )
        }
      </Shown>
    </Card>
  );
}

function Chart({ daily, state }: { readonly daily: CoverageDaily; readonly state: UrlState }) {
  const withoutOther = state.one('view') === 'coverable';
  const shown = useMemo(() => kinds.filter(({ key }) => !withoutOther || key !== 'OTHER'), [withoutOther]);
  const stacks = useMemo(
    () =>
      daily.days.map((one) => ({
        key: one.date,
        label: shortDay(one.date),
        title: day(one.date),
        parts: shown.map(({ of }) => of(one)),
      })),
    [daily, shown],
  );
  const label = `Cost of 90 days by pricing model, ${money(daily.totalCost, daily.currency)} in total.`;
  return (
    <Stack gap="sm">
      <Caveats of={daily} />
      <Group justify="space-between" gap="xs">
        <Legend items={shown} />
        <OneOf state={state} name="view" label="Costs shown" choices={views} />
      </Group>
      <StackChart label={label} stacks={stacks} series={shown} currency={daily.currency} height={260} />
    </Stack>
  );
}
