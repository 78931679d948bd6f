import { Stack } from '@mantine/core';
import { useAnswer } from '../api/use-api.ts';
import { mostDays } from '../parts/list/day-range.tsx';
import { byAccount, byProvider, byService, keysOf, questionOf } from '../parts/list/definition.tsx';
import { OneOf } from '../parts/list/filters.tsx';
import { FilterControls } from '../parts/list/list.tsx';
import { knownOf, useUrlState } from '../parts/list/url-state.ts';
import { Page } from '../parts/page/page.tsx';
import { Shown } from '../parts/page/shown.tsx';
import { addDays, today } from '../words/days.ts';
import { AccuracyCard } from './accuracy-card.tsx';
import { ForecastBody, NoForecast } from './body.tsx';
import { AccuracyQuery, ForecastHistoryQuery, ForecastQuery } from './queries.ts';

const filters = { accountId: byAccount, provider: byProvider, service: byService };
const models = ['SEASONAL', 'LINEAR'] as const;
const modelChoices = [
  { value: 'seasonal', label: 'Seasonal' },
  { value: 'linear', label: 'Linear' },
];
/** Days of history that are drawn before the forecast. */
const historyDays = 90;

/** The forecast for the next 60 days, and its accuracy so far. */
export function ForecastPage() {
  const state = useUrlState();
  const scope = questionOf(filters, state);
  const asked = { ...scope, model: knownOf(state, 'model', models)[0] ?? 'SEASONAL' };
  const isFiltered = state.has(...keysOf(filters));
  const now = today();
  const matched = { isFiltered, startDate: addDays(now, 1 - mostDays), endDate: now };
  const forecast = useAnswer(ForecastQuery, { ...asked, ...matched });
  const accuracy = useAnswer(AccuracyQuery, asked);
  const through = forecast.data?.forecast?.historyTo ?? null;
  const history = useAnswer(
    ForecastHistoryQuery,
    { ...scope, startDate: addDays(through ?? '2000-01-01', 1 - historyDays), endDate: through ?? '2000-01-01' },
    { pause: through === null },
  );
  return (
    <Page title="Forecast" lead="Projected effective cost for the next 60 days, based on up to 12 months of history.">
      <FilterControls filters={filters} state={state}>
        <OneOf state={state} name="model" label="Model" choices={modelChoices} />
      </FilterControls>
      <Shown of={forecast} height={560}>
        {({ forecast: found, matching }) =>
          found && found.points.length > 0 && matching?.groups.length !== 0 ? (
            <Stack gap="md">
              <ForecastBody forecast={found} history={history} accuracy={accuracy.data?.forecastAccuracy ?? null} />
              <AccuracyCard of={accuracy} />
            </Stack>
          ) : (
            <NoForecast forecast={found} isFiltered={isFiltered} />
          )
        }
      </Shown>
    </Page>
  );
}
