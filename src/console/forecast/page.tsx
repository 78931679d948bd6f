import { Stack, Text } from '@mantine/core';
import type { ResultOf } from '../api/graphql.ts';
import { type Answer, useAnswer } from '../api/use-api.ts';
import { CostsByService, DailyCosts } from '../costs/totals.ts';
import { BadAddress, mostDays } from '../parts/list/day-range.tsx';
import { byAccount, byProvider, byService, keysOf, questionOf, strangerFaults } from '../parts/list/definition.tsx';
import { OneOf } from '../parts/list/filters.tsx';
import { FilterControls } from '../parts/list/list.tsx';
import { type Column, DataTable } from '../parts/list/table.tsx';
import { knownOf, useUrlState, type UrlState } from '../parts/list/url-state.ts';
import { Card } from '../parts/page/card.tsx';
import { Empty, Page, Shown } from '../parts/page/page.tsx';
import { Views } from '../parts/views/menu.tsx';
import { addDays, today } from '../words/days.ts';
import { money, month, percent, signedPercent } from '../words/format.ts';
import { ForecastBody, NoForecast } from './body.tsx';
import { type Accuracy, AccuracyQuery, type Forecast, ForecastQuery } from './queries.ts';

const filters = { accountId: byAccount, provider: byProvider, service: byService };
const models = ['SEASONAL', 'LINEAR'] as const;
const modelChoices = [
  { value: 'seasonal', label: 'Seasonal' },
  { value: 'linear', label: 'Linear' },
];
/** Days of history shown before the forecast. */
const historyDays = 90;

/** Forecast page: the next 60 days, and past accuracy. */
export function ForecastPage() {
  const state = useUrlState();
  const faults = strangerFaults(state, 'model', models);
  return (
    <Page
      actions={<Views page="FORECAST" />}
      title="Forecast"
      reads={[...keysOf(filters), 'model']}
      lead="Projected effective cost for the next 60 days, based on up to 12 months of history."
    >
      {faults.length > 0 ? (
        <BadAddress state={state} faults={faults} what="the forecast" />
      ) : (
        <FilteredForecast state={state} />
      )}
    </Page>
  );
}

function FilteredForecast({ state }: { readonly state: UrlState }) {
  const scope = questionOf(filters, state);
  const asked = { ...scope, model: knownOf(state, 'model', models)[0] ?? 'SEASONAL' };
  const isFiltered = state.has(...keysOf(filters));
  const now = today();
  const all = { ...scope, startDate: addDays(now, 1 - mostDays), endDate: now };
  const matching = useAnswer(CostsByService, all, { pause: !isFiltered });
  const forecast = useAnswer(ForecastQuery, asked);
  const accuracy = useAnswer(AccuracyQuery, asked);
  const through = forecast.data?.forecast?.historyTo ?? null;
  const start = addDays(through ?? '2000-01-01', 1 - historyDays);
  const firstDay = forecast.data?.forecast?.historyFrom ?? start;
  const history = useAnswer(
    DailyCosts,
    { ...scope, startDate: firstDay > start ? firstDay : start, endDate: now },
    { pause: through === null },
  );
  return (
    <>
      <FilterControls filters={filters} state={state}>
        <OneOf state={state} name="model" label="Model" choices={modelChoices} />
      </FilterControls>
      <Shown of={forecast} height={560}>
        {({ forecast: found }) =>
          found && found.points.length > 0 && !(isFiltered && matching.data?.costsByService?.groups.length === 0) ? (
            <Stack gap="md">
              <ForecastBody forecast={found} history={history} accuracy={accuracy} />
              {found.services.length > 1 && <ServicesCard forecast={found} />}
              <AccuracyCard of={accuracy} />
            </Stack>
          ) : (
            <NoForecast forecast={found} isFiltered={isFiltered} />
          )
        }
      </Shown>
    </>
  );
}

/** The forecast of each of the largest services, and of all others together. */
function ServicesCard({ forecast: { services, total, currency, horizonDays } }: { readonly forecast: Forecast }) {
  const columns: Column<Forecast['services'][number]>[] = [
    { title: 'Service', cell: ({ service }) => service ?? 'All other services', grow: true },
    { title: `Next ${horizonDays} days`, align: 'right', cell: ({ cost }) => money(cost, currency) },
    { title: 'Share', align: 'right', hideOn: 'phone', cell: ({ cost }) => shareOf(cost, total.cost) },
  ];
  return (
    <Card title="Forecast by service" note="The forecasts of the services sum to the total" flush>
      <DataTable label="Forecast by service" rows={services} columns={columns} keyOf={({ service }) => service ?? ''} />
    </Card>
  );
}

function shareOf(cost: number, total: number | null): string {
  return total ? percent((100 * cost) / total) : '–';
}

type Month = Accuracy['months'][number];

/** Backtest accuracy over the past six months. */
function AccuracyCard({ of }: { readonly of: Answer<ResultOf<typeof AccuracyQuery>> }) {
  return (
    <Card title="Forecast accuracy" note="Past months compared with the forecast made the day before each began" flush>
      <Shown of={of} height={320}>
        {({ forecastAccuracy }) =>
          forecastAccuracy?.months.some(({ forecast }) => forecast !== null) ? (
            <AccuracyContent accuracy={forecastAccuracy} />
          ) : (
            <Empty
              title="Not known yet"
              text="A past month is evaluated if at least 14 days before it are available."
            />
          )
        }
      </Shown>
    </Card>
  );
}

function AccuracyContent({ accuracy }: { readonly accuracy: Accuracy }) {
  const { months, currency, mape, coverage80, coverage95 } = accuracy;
  return (
    <>
      <DataTable
        label="Forecast and actual cost of the past six months"
        rows={months}
        columns={columnsOf(currency)}
        keyOf={(row) => row.month}
      />
      <Stack gap={4} p="md">
        {mape !== null && (
          <Text size="sm">
            On average, a month was {percent(mape)} away from its forecast (MAPE, the mean absolute percentage error).
          </Text>
        )}
        {coverage80 !== null && coverage95 !== null && (
          <Text size="sm">
            In the last six months, {percent(coverage80)} of days were inside the 80% interval and {percent(coverage95)}{' '}
            inside the 95% interval. {adviceOn(coverage80, coverage95)}
          </Text>
        )}
      </Stack>
    </>
  );
}

/** Advice if fewer days than stated were inside the intervals. */
function adviceOn(coverage80: number, coverage95: number): string {
  if (coverage80 >= 75 && coverage95 >= 90) return '';
  return coverage95 < 90
    ? 'That is less often than stated: treat the intervals as too narrow.'
    : 'Fewer days than stated were inside the 80% interval: use the 95% interval.';
}

function columnsOf(currency: string): Column<Month>[] {
  const sum = (value: number | null) => (value === null ? '–' : money(value, currency));
  return [
    { title: 'Month', cell: (row) => month(row.month), grow: true },
    { title: 'Forecast', align: 'right', hideOn: 'phone', cell: ({ forecast }) => sum(forecast) },
    { title: 'Actual', align: 'right', cell: ({ actual }) => sum(actual) },
    { title: 'Error', align: 'right', cell: ({ errorPercent }) => <Fault percent={errorPercent} /> },
  ];
}

function Fault({ percent: value }: { readonly percent: number | null }) {
  if (value === null) return <>–</>;
  const side = Math.abs(value) < 0.05 ? '' : value > 0 ? 'too high' : 'too low';
  return (
    <>
      {signedPercent(value)}{' '}
      <Text span size="xs" c="dimmed">
        {side}
      </Text>
    </>
  );
}
