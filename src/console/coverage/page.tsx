import { useAnswer } from '../api/use-answer.ts';
import { DayRangePicker } from '../parts/day-range.tsx';
import { Page } from '../parts/page.tsx';
import { Shown } from '../parts/shown.tsx';
import { useUrlState } from '../parts/url-state.ts';
import { CoverageBody } from './body.tsx';
import { DailyCard } from './daily-card.tsx';
import { CoverageFilters, CoverageTabs, scopeOf } from './filters.tsx';
import { GapsCard } from './gaps-card.tsx';
import { CoverageQuery } from './queries.ts';

/** How spend is paid for, and how well commitments cover and are used. */
export function CoveragePage() {
  const state = useUrlState();
  const scope = scopeOf(state);
  const days = { startDate: state.one('from') ?? undefined, endDate: state.one('to') ?? undefined };
  const answer = useAnswer(CoverageQuery, { ...scope, ...days });
  const found = answer.data?.coverage ?? null;
  return (
    <Page title="Coverage" lead="How much of what commitments can cover they do, and how much of them is used.">
      <CoverageTabs state={state} />
      <CoverageFilters state={state} keys={['from', 'to']}>
        <DayRangePicker
          key={`${found?.startDate} ${found?.endDate}`}
          value={{
            from: state.one('from') ?? found?.startDate ?? '',
            to: state.one('to') ?? found?.endDate ?? '',
          }}
          onChange={(range) => state.set({ from: range.from, to: range.to })}
        />
      </CoverageFilters>
      <Shown of={answer} height={320}>
        {({ coverage }) => coverage && <CoverageBody coverage={coverage} />}
      </Shown>
      <DailyCard scope={scope} state={state} />
      <GapsCard scope={scope} days={days} state={state} range={found} />
    </Page>
  );
}
