import { Alert, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { IconChartLine } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { ResultOf } from '../api/graphql.ts';
import type { Answer } from '../api/use-api.ts';
import { Legend } from '../charts/legend.tsx';
import { type Band, type Line, LineChart } from '../charts/line-chart.tsx';
import { valueLabel } from '../costs/dimensions.ts';
import type { DailyCosts } from '../costs/totals.ts';
import { Card, FigureCard } from '../parts/page/card.tsx';
import { Caveats } from '../parts/page/caveats.tsx';
import { NoData } from '../parts/page/no-data.tsx';
import { Shown } from '../parts/page/page.tsx';
import { addMonths, countDays, monthEnd, monthStart, today } from '../words/days.ts';
import { counted, day, money, month, percent, regionName, shortDay, signedMoney, wholeMoney } from '../words/format.ts';
import { resourceTypeName } from '../words/resource-types.ts';
import type { DayCost } from '../../kit/expected-cost.ts';
import { expectedIn } from './expected.ts';
import type { AccuracyQuery, Forecast } from './queries.ts';

interface Props {
  readonly forecast: Forecast;
  readonly history: Answer<ResultOf<typeof DailyCosts>>;
  readonly accuracy: Answer<ResultOf<typeof AccuracyQuery>>;
}

const none: readonly DayCost[] = [];

/** Forecast figures and chart. */
export function ForecastBody({ forecast, history, accuracy }: Props) {
  const { lowHistory, historyFrom, historyTo } = forecast;
  const days = history.data?.costsDaily?.days ?? none;
  const complete = useMemo(() => days.filter(({ date }) => date <= (historyTo ?? '')), [days, historyTo]);
  return (
    <>
      {lowHistory && historyFrom && historyTo && (
        <Alert color="yellow" title="Little history">
          Complete bills cover only {counted(countDays(historyFrom, historyTo), 'day')}. With fewer than 28 days, the
          forecast is based on the mean of the most recent week and is not reliable.
        </Alert>
      )}
      <Caveats of={forecast} period="in the bills before the forecast" />
      <CommitmentEnds forecast={forecast} />
      <Figures forecast={forecast} history={history} accuracy={accuracy} />
      <Card title="Daily cost" note={historyTo && `Bills are complete through ${day(historyTo)}`}>
        <Shown of={history} height={360}>
          {() => <ForecastChart forecast={forecast} days={complete} />}
        </Shown>
      </Card>
    </>
  );
}

/** The commitments that end within the forecast, with the change in daily cost. */
function CommitmentEnds({ forecast: { commitmentEnds, currency } }: { readonly forecast: Forecast }) {
  if (commitmentEnds.length === 0) return null;
  return (
    <Alert
      title={`${counted(new Set(commitmentEnds.map(({ commitmentId }) => commitmentId)).size, 'commitment')} will end`}
    >
      The forecast includes on-demand prices for the covered usage from then on. Renewals are not assumed.
      <ul>
        {commitmentEnds.map((end) => (
          <li key={`${end.commitmentId} ${end.service}`}>
            {day(end.date)}: <span title={end.commitmentId}>{commitmentWords(end)}</span> for {end.service},{' '}
            {signedMoney(end.dailyChange, currency)} per day
          </li>
        ))}
      </ul>
    </Alert>
  );
}

/** Name of a commitment with its type, term and region if known; its ID if all of them are unknown. */
function commitmentWords({ commitmentId, name, resourceType, region, termMonths }: End): string {
  const type = resourceTypeName(resourceType ?? '');
  const isNamedByType = name?.toLowerCase().includes(type.toLowerCase().replace(/s$/, '')) ?? false;
  const details = [
    resourceType && !isNamedByType && type,
    termMonths && (termMonths % 12 === 0 ? counted(termMonths / 12, 'year') : counted(termMonths, 'month')),
    region && region !== 'global' && regionName(region),
  ].filter(Boolean);
  if (name === null) return details.join(', ') || valueLabel('commitment', commitmentId);
  return details.length === 0 ? name : `${name} (${details.join(', ')})`;
}

type End = Forecast['commitmentEnds'][number];

function Figures({ forecast, history, accuracy }: Props) {
  const { currency, total, horizonDays } = forecast;
  const monthOf = (start: string) =>
    history.isLoading ? 'loading' : expectedOf(start, history.data?.costsDaily?.days ?? none, forecast);
  const now = monthStart(today());
  const next = addMonths(now, 1);
  const { cost, lower80, upper80, lower95, upper95 } = total;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="md">
      <FigureCard
        label={`Next ${horizonDays} days`}
        value={cost === null ? '–' : wholeMoney(cost, currency)}
        below={
          <>
            <Range name="80% interval" low={lower80} high={upper80} currency={currency} />
            <Range name="95% interval" low={lower95} high={upper95} currency={currency} />
          </>
        }
      />
      <MonthFigure name={`${month(now)}, this month`} total={monthOf(now)} currency={currency} />
      <MonthFigure name={`${month(next)}, next month`} total={monthOf(next)} currency={currency} />
      <ErrorFigure accuracy={accuracy} />
    </SimpleGrid>
  );
}

function ErrorFigure({ accuracy: { isLoading, data } }: Pick<Props, 'accuracy'>) {
  const label = 'Average monthly error';
  if (isLoading) return <FigureCard label={label} value={<Loading />} />;
  const mape = data?.forecastAccuracy?.mape ?? null;
  if (mape === null) return <FigureCard label={label} value="–" below="Not known yet" />;
  return <FigureCard label={label} value={percent(mape)} below="past six months, forecast the day before each began" />;
}

function Loading() {
  return <Skeleton height="1em" width="60%" role="status" aria-label="Loading" />;
}

interface RangeProps {
  readonly name: string;
  readonly low: number | null;
  readonly high: number | null;
  readonly currency: string;
}

function Range({ name, low, high, currency }: RangeProps) {
  if (low === null || high === null) return null;
  return <div className="figures">{`${name}: ${wholeMoney(low, currency)}–${wholeMoney(high, currency)}`}</div>;
}

interface MonthProps {
  readonly name: string;
  readonly total: ReturnType<typeof expectedOf> | 'loading';
  readonly currency: string;
}

function MonthFigure({ name, total, currency }: MonthProps) {
  if (total === 'loading') return <FigureCard label={name} value={<Loading />} />;
  if (!total) return <FigureCard label={name} value="–" below="Not included in the forecast" />;
  const { actual, forecast } = total;
  return (
    <FigureCard
      label={name}
      value={wholeMoney(actual + forecast, currency)}
      below={
        actual === 0
          ? 'all of it forecast'
          : `${wholeMoney(actual, currency)} actual, ${wholeMoney(forecast, currency)} forecast`
      }
    />
  );
}

interface NoForecastProps {
  readonly forecast: Forecast | null;
  readonly isFiltered: boolean;
}

/** Empty state: no data, or none in the organization's currency. */
export function NoForecast({ forecast, isFiltered }: NoForecastProps) {
  const text =
    (forecast?.unconverted.length ?? 0) > 0
      ? 'Costs without an exchange rate are not included.'
      : isFiltered
        ? 'No complete days of costs match the filters.'
        : 'A forecast needs at least one day of complete bills.';
  return (
    <Stack gap="md">
      {forecast && <Caveats of={forecast} period="in the bills before the forecast" />}
      <Card flush>
        <NoData icon={IconChartLine} title="No forecast yet" text={text} />
      </Card>
    </Stack>
  );
}

interface ForecastChartProps {
  readonly forecast: Forecast;
  readonly days: readonly DayCost[];
}

const colours = { actual: 'var(--chart-1)', forecast: 'var(--chart-2)' };

/** Chart of past costs and the forecast with its intervals. */
function ForecastChart({ forecast, days }: ForecastChartProps) {
  const { points, currency, total } = forecast;
  const shape = useMemo(() => shapeOf(forecast, days), [forecast, days]);
  return (
    <Stack gap="sm">
      <Legend
        items={[
          { key: 'actual', label: 'Actual', colour: colours.actual },
          { key: 'forecast', label: 'Forecast', colour: colours.forecast, isDashed: true },
          { key: '80', label: '80% interval', colour: tinted(34) },
          { key: '95', label: '95% interval', colour: tinted(16) },
        ]}
      />
      <LineChart
        label={`Daily cost of ${counted(days.length, 'day')}, then a forecast of ${counted(points.length, 'day')} that totals ${money(total.cost ?? 0, currency)}.`}
        places={shape.places}
        lines={shape.lines}
        bands={shape.bands}
        currency={currency}
        height={320}
      />
    </Stack>
  );
}

function tinted(share: number): string {
  return `color-mix(in srgb, ${colours.forecast} ${share}%, var(--surface))`;
}

function shapeOf({ points }: Forecast, days: readonly DayCost[]) {
  const places = [...days, ...points].map(({ date }) => ({ label: shortDay(date), title: day(date) }));
  const before = days.map(() => null);
  const after = points.map(() => null);
  const lines: Line[] = [
    { key: 'actual', label: 'Actual', colour: colours.actual, values: [...days.map(({ cost }) => cost), ...after] },
    {
      key: 'forecast',
      label: 'Forecast',
      colour: colours.forecast,
      isDashed: true,
      values: [...before, ...points.map(({ cost }) => cost)],
    },
  ];
  const band = (name: '80' | '95', colour: string): Band => ({
    key: name,
    label: `${name}%`,
    low: [...before, ...points.map((point) => point[`lower${name}`])],
    high: [...before, ...points.map((point) => point[`upper${name}`])],
    colour,
    opacity: 1,
  });
  return { places, lines, bands: [band('95', tinted(16)), band('80', tinted(34))] };
}

/** Computes the expected cost of a month; null if the forecast ends before the month does, or earlier days are missing.
 *  @param start first day of the month */
function expectedOf(start: string, days: readonly DayCost[], { points, historyTo }: Forecast) {
  const first = days[0]?.date ?? points[0]?.date;
  if (!first || first > start) return null;
  return expectedIn({ days, points, completeTo: historyTo ?? '' }, { from: start, to: monthEnd(start) });
}
