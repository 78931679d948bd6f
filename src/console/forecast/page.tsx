import { Stack } from '@mantine/core';
import { useAnswer } from '../api/use-answer.ts';
import { useAccountChoices, useCostChoices } from '../parts/choices.ts';
import { ChoiceFilter, FilterBar } from '../parts/filters.tsx';
import { mostDays } from '../parts/day-range.tsx';
import { OneOf } from '../parts/one-of.tsx';
import { Page } from '../parts/page.tsx';
import { Shown } from '../parts/shown.tsx';
import { knownOf, someOf, useUrlState } from '../parts/url-state.ts';
import { addDays, today } from '../words/days.ts';
import { AccuracyCard } from './accuracy-card.tsx';
import { ForecastBody, NoForecast } from './body.tsx';
import { AccuracyQuery, ForecastHistoryQuery, ForecastQuery } from './queries.ts';

const models = ['SEASONAL', 'LINEAR'] as const;
const modelChoices = [
  { value: 'seasonal', label: 'Seasonal' },
  { value: 'linear', label: 'Linear' },
];
/** Days of history that are drawn before the forecast. */
const historyDays = 90;

/** What the next 60 days will cost, and how far that can be relied on. */
export function ForecastPage() {
  const state = useUrlState();
  const accounts = useAccountChoices();
  const { providers, services } = useCostChoices();
  const scope = {
    accountId: someOf(state, 'account'),
    provider: someOf(state, 'provider'),
    service: someOf(state, 'service'),
  };
  const asked = { ...scope, model: knownOf(state, 'model', models)[0] ?? 'SEASONAL' };
  const isFiltered = state.has('account', 'provider', 'service');
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
    <Page
      title="Forecast"
      lead="What the 60 days after the last complete one will cost. Effective cost, expected from a year of days."
    >
      <FilterBar state={state} keys={['account', 'provider', 'service']}>
        <OneOf state={state} name="model" label="Model" choices={modelChoices} />
        <ChoiceFilter state={state} name="account" label="Account" choices={accounts} />
        <ChoiceFilter state={state} name="provider" label="Provider" choices={providers} />
        <ChoiceFilter state={state} name="service" label="Service" choices={services} />
      </FilterBar>
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
