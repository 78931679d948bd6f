import { useAnswer } from '../api/use-answer.ts';
import { dayFaults } from '../parts/address-faults.ts';
import { BadAddress } from '../parts/bad-address.tsx';
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
  const [from, to] = [state.one('from'), state.one('to')];
  const faults = dayFaults({ from, to });
  const days = { startDate: from ?? undefined, endDate: to ?? undefined };
  const answer = useAnswer(CoverageQuery, { ...scope, ...days }, { pause: faults.length > 0 });
  const found = answer.data?.coverage ?? null;
  return (
    <Page title="Coverage" lead="How much of what commitments can cover they do, and how much of them is used.">
      <CoverageTabs state={state} />
      {faults.length > 0 ? (
        <BadAddress state={state} faults={faults} what="coverage" />
      ) : (
        <>
          <CoverageFilters state={state} keys={['from', 'to']}>
            <DayRangePicker
              key={`${found?.startDate} ${found?.endDate}`}
              value={{
                from: from ?? found?.startDate ?? '',
                to: to ?? found?.endDate ?? '',
              }}
              onChange={(range) => state.set({ from: range.from, to: range.to })}
            />
          </CoverageFilters>
          <Shown of={answer} height={320}>
            {({ coverage }) => coverage && <CoverageBody coverage={coverage} />}
          </Shown>
          <DailyCard scope={scope} state={state} />
          <GapsCard scope={scope} days={days} state={state} range={found} />
        </>
      )}
    </Page>
  );
}
