import { Group, Stack } from '@mantine/core';
import { useMemo } from 'react';
import { Legend } from '../charts/legend.tsx';
import { StackedBars } from '../charts/stacked-bars.tsx';
import { useAnswer } from '../api/use-answer.ts';
import { Card } from '../parts/card.tsx';
import { Empty } from '../parts/empty.tsx';
import { OneOf } from '../parts/one-of.tsx';
import { Shown } from '../parts/shown.tsx';
import type { UrlState } from '../parts/url-state.ts';
import { day, days as daysText, money, shortDay } from '../words/format.ts';
import type { scopeOf } from './filters.tsx';
import { kinds } from './kinds.ts';
import { CoverageDailyQuery, type CoverageDaily } from './queries.ts';

interface Props {
  readonly scope: ReturnType<typeof scopeOf>;
  readonly state: UrlState;
}

const views = [
  { value: 'all', label: 'All costs' },
  { value: 'coverable', label: 'Without other' },
];

/** The last 90 days, whichever days are chosen above. */
export function DailyCard({ scope, state }: Props) {
  const answer = useAnswer(CoverageDailyQuery, scope);
  const found = answer.data?.coverageDaily;
  return (
    <Card title="The last 90 days" note={found && daysText(found.startDate, found.endDate)}>
      <Shown of={answer} height={320}>
        {({ coverageDaily }) =>
          coverageDaily && coverageDaily.days.length > 0 ? (
            <Chart daily={coverageDaily} state={state} />
          ) : (
            <Empty title="No complete days" text="There is something to see once bills are complete for a day." />
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
  const label = `Cost of 90 days by how it is paid for, ${money(daily.totalCost, daily.currency)} in all.`;
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Legend items={shown} />
        <OneOf state={state} name="view" label="What the chart shows" choices={views} />
      </Group>
      <StackedBars label={label} stacks={stacks} series={shown} currency={daily.currency} height={260} />
    </Stack>
  );
}
