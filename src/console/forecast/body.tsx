import { Alert, SimpleGrid, Stack } from '@mantine/core';
import { IconChartLine } from '@tabler/icons-react';
import type { ResultOf } from '../api/graphql.ts';
import type { Answer } from '../api/use-answer.ts';
import { Card } from '../parts/card.tsx';
import { Empty } from '../parts/empty.tsx';
import { FigureCard } from '../parts/figure-card.tsx';
import { Shown } from '../parts/shown.tsx';
import { Unconverted } from '../parts/unconverted.tsx';
import { addMonths, countDays, monthStart, today } from '../words/days.ts';
import { counted, day, money, month, percent } from '../words/format.ts';
import { ForecastChart } from './chart.tsx';
import { monthTotal, type MonthTotal } from './month-total.ts';
import type { Accuracy, Forecast, ForecastHistoryQuery, KnownDay } from './queries.ts';

interface Props {
  readonly forecast: Forecast;
  readonly history: Answer<ResultOf<typeof ForecastHistoryQuery>>;
  readonly accuracy: Accuracy | null;
}

const none: readonly KnownDay[] = [];

/** The forecast: its figures and its chart. */
export function ForecastBody({ forecast, history, accuracy }: Props) {
  const { currency, lowHistory, historyFrom, historyTo, unconverted } = forecast;
  const days = history.data?.costsDaily?.days ?? none;
  return (
    <>
      {lowHistory && historyFrom && historyTo && (
        <Alert color="yellow" variant="light" title="Little history">
          Only {counted(countDays(historyFrom, historyTo), 'day')} of complete bills are known. Until there are 28 the
          forecast is their mean, and not much to rely on.
        </Alert>
      )}
      <Unconverted costs={unconverted} currency={currency} />
      <Figures forecast={forecast} days={days} accuracy={accuracy} />
      <Card title="Daily cost" note={historyTo && `Bills are complete through ${day(historyTo)}`}>
        <Shown of={history} height={360}>
          {() => <ForecastChart forecast={forecast} days={days} />}
        </Shown>
      </Card>
    </>
  );
}

interface FiguresProps extends Omit<Props, 'history'> {
  readonly days: readonly KnownDay[];
}

function Figures({ forecast, days, accuracy }: FiguresProps) {
  const { currency, total, horizonDays } = forecast;
  const now = monthStart(today());
  const next = addMonths(now, 1);
  const { cost, lower80, upper80, lower95, upper95 } = total;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="md">
      <FigureCard
        label={`Next ${horizonDays} days`}
        value={cost === null ? '–' : money(cost, currency)}
        below={
          <>
            <Range name="80%" low={lower80} high={upper80} currency={currency} />
            <Range name="95%" low={lower95} high={upper95} currency={currency} />
          </>
        }
      />
      <MonthFigure name={`${month(now)}, this month`} total={monthTotal(now, days, forecast)} currency={currency} />
      <MonthFigure name={`${month(next)}, next month`} total={monthTotal(next, days, forecast)} currency={currency} />
      <FigureCard
        label="Average error of a month"
        value={accuracy?.mape == null ? '–' : percent(accuracy.mape)}
        below={accuracy?.mape == null ? 'Not known yet' : 'of the past six months, forecast the day before each'}
      />
    </SimpleGrid>
  );
}

interface RangeProps {
  readonly name: string;
  readonly low: number | null;
  readonly high: number | null;
  readonly currency: string;
}

function Range({ name, low, high, currency }: RangeProps) {
  if (low === null || high === null) return null;
  return <div className="figures">{`${name}: ${money(low, currency)} – ${money(high, currency)}`}</div>;
}

interface MonthProps {
  readonly name: string;
  readonly total: MonthTotal | null;
  readonly currency: string;
}

function MonthFigure({ name, total, currency }: MonthProps) {
  if (!total) return <FigureCard label={name} value="–" below="The forecast does not hold all of it" />;
  const { known, forecast } = total;
  return (
    <FigureCard
      label={name}
      value={money(known + forecast, currency)}
      below={
        known === 0 ? 'all of it forecast' : `${money(known, currency)} actual, ${money(forecast, currency)} forecast`
      }
    />
  );
}

interface NoForecastProps {
  readonly forecast: Forecast | null;
  readonly isFiltered: boolean;
}

/** Where no day is known, or none in the organization's currency. */
export function NoForecast({ forecast, isFiltered }: NoForecastProps) {
  const { unconverted = [], currency = '' } = forecast ?? {};
  const text =
    unconverted.length > 0
      ? 'Costs without an exchange rate are in no forecast.'
      : isFiltered
        ? 'No complete days of costs match the filters.'
        : 'A forecast needs at least one day of complete bills. Connect an account, or wait for its first sync.';
  return (
    <Stack gap="md">
      <Unconverted costs={unconverted} currency={currency} />
      <Card flush>
        <Empty icon={IconChartLine} title="Nothing can be forecast yet" text={text} />
      </Card>
    </Stack>
  );
}
