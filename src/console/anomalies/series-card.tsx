import { Stack } from '@mantine/core';
import { useMemo } from 'react';
import { Legend, type LegendItem } from '../charts/legend.tsx';
import { LineChart, type Band, type Line } from '../charts/line-chart.tsx';
import { costsHref } from '../costs/address.ts';
import { Card } from '../parts/page/card.tsx';
import { TextLink } from '../parts/page/page.tsx';
import { day, days, money, shortDay } from '../words/format.ts';
import type { AnomalyDetails } from './queries.ts';

const bandColour = 'var(--chart-2)';

/** Actual and expected cost, with the anomaly's days highlighted. */
export function SeriesCard({ anomaly }: { readonly anomaly: AnomalyDetails }) {
  const { series, startDate, endDate, currency, service } = anomaly;
  const places = useMemo(() => series.map(({ date }) => ({ label: shortDay(date), title: day(date) })), [series]);
  const lines = useMemo(() => linesOf(series), [series]);
  const bands = useMemo(() => bandsOf(series), [series]);
  const marked = useMemo(() => markedOf(series, startDate, endDate), [series, startDate, endDate]);
  const label =
    `Cost of ${service} per day: ${days(startDate, endDate)} came to ${money(anomaly.actualCost, currency)}, ` +
    `expected were ${money(anomaly.expectedCost, currency)}`;
  return (
    <Card title="Cost per day" note="Usage at effective cost" actions={<ExplorerLink anomaly={anomaly} />}>
      <Stack gap="xs">
        <LineChart
          label={label}
          places={places}
          lines={lines}
          bands={bands}
          {...(marked && { marked })}
          currency={currency}
          height={260}
        />
        <Legend items={legendOf(bands.length > 0)} />
      </Stack>
    </Card>
  );
}

function ExplorerLink({ anomaly }: { readonly anomaly: AnomalyDetails }) {
  const href = costsHref({
    from: anomaly.startDate,
    to: anomaly.endDate,
    granularity: 'daily',
    group: 'meter',
    account: anomaly.accountId,
    provider: anomaly.provider,
    service: anomaly.service,
    charge_category: 'usage',
  });
  return (
    <TextLink href={href}>
      {anomaly.startDate === anomaly.endDate ? 'This day in the cost explorer' : 'These days in the cost explorer'}
    </TextLink>
  );
}

type Series = AnomalyDetails['series'];

function linesOf(series: Series): Line[] {
  return [
    {
      key: 'expected',
      label: 'Expected',
      colour: bandColour,
      isDashed: true,
      isQuiet: true,
      values: series.map(({ expectedCost }) => expectedCost),
    },
    { key: 'cost', label: 'Cost', colour: 'var(--chart-1)', values: series.map(({ cost }) => cost) },
  ];
}

/** Days evaluated before bands were stored have none. */
function bandsOf(series: Series): Band[] {
  if (series.every(({ expectedHigh }) => expectedHigh === null)) return [];
  return [
    {
      key: 'band',
      label: 'Ordinary',
      colour: bandColour,
      opacity: 0.15,
      low: series.map(({ expectedLow }) => expectedLow),
      high: series.map(({ expectedHigh }) => expectedHigh),
    },
  ];
}

function markedOf(series: Series, from: string, to: string): readonly [number, number] | null {
  const first = series.findIndex(({ date }) => date >= from && date <= to);
  const last = series.findLastIndex(({ date }) => date >= from && date <= to);
  return first < 0 ? null : [first, last];
}

function legendOf(hasBand: boolean): LegendItem[] {
  return [
    { key: 'cost', label: 'Cost', colour: 'var(--chart-1)' },
    { key: 'expected', label: 'Expected', colour: bandColour, isDashed: true },
    ...(hasBand
      ? [
          {
            key: 'band',
            label: 'Expected range',
            colour: `color-mix(in srgb, ${bandColour} 30%, var(--surface))`,
          },
        ]
      : []),
    { key: 'days', label: 'Days of the anomaly', colour: 'color-mix(in srgb, var(--bad) 25%, var(--surface))' },
  ];
}
