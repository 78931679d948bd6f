import { Stack } from '@mantine/core';
import { useMemo } from 'react';
import { Legend } from '../charts/legend.tsx';
import { LineChart, type Band, type Line } from '../charts/line-chart.tsx';
import { counted, day, money, shortDay } from '../words/format.ts';
import type { Forecast, KnownDay } from './queries.ts';

interface Props {
  readonly forecast: Forecast;
  readonly days: readonly KnownDay[];
}

const colours = { actual: 'var(--chart-1)', forecast: 'var(--chart-2)' };

/** What the last days cost and the next will, with the intervals. */
export function ForecastChart({ forecast, days }: Props) {
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
        label={`Daily cost of ${counted(days.length, 'day')}, then a forecast of ${counted(points.length, 'day')} that come to ${money(total.cost ?? 0, currency)}.`}
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

function shapeOf({ points }: Forecast, days: readonly KnownDay[]) {
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
