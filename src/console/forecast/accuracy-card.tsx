import { Stack, Text } from '@mantine/core';
import type { ResultOf } from '../api/graphql.ts';
import type { Answer } from '../api/use-api.ts';
import { Card } from '../parts/page/card.tsx';
import { Empty, Shown } from '../parts/page/shown.tsx';
import { DataTable, type Column } from '../parts/list/table.tsx';
import { money, month, percent, signedPercent } from '../words/format.ts';
import type { Accuracy, AccuracyQuery } from './queries.ts';

type Month = Accuracy['months'][number];

/** How well the past six months would have been forecast. */
export function AccuracyCard({ of }: { readonly of: Answer<ResultOf<typeof AccuracyQuery>> }) {
  return (
    <Card title="Forecast accuracy" note="Each past month, and its forecast of the day before it began" flush>
      <Shown of={of} height={320}>
        {({ forecastAccuracy }) =>
          forecastAccuracy?.months.some(({ forecast }) => forecast !== null) ? (
            <Told accuracy={forecastAccuracy} />
          ) : (
            <Empty
              title="Not known yet"
              text="A month can be judged when at least 14 days before it are known, and it is over."
            />
          )
        }
      </Shown>
    </Card>
  );
}

function Told({ accuracy }: { readonly accuracy: Accuracy }) {
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
            On average a month came out {percent(mape)} away from its forecast (MAPE, the mean absolute percentage
            error).
          </Text>
        )}
        {coverage80 !== null && coverage95 !== null && (
          <Text size="sm">
            Of the days of the past half year, {percent(coverage80)} came inside the 80% interval and{' '}
            {percent(coverage95)} inside the 95% interval. {judged(coverage80)}
          </Text>
        )}
      </Stack>
    </>
  );
}

/** What it means when more or fewer days than promised came inside the interval of 80 %. */
function judged(coverage80: number): string {
  if (coverage80 < 75) return 'Single days strayed further than the intervals said: leave more room for them.';
  return coverage80 > 85 ? 'Days strayed less than the intervals said.' : 'The intervals held what they promise.';
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
