import { Alert, Group, Stack } from '@mantine/core';
import { useMemo } from 'react';
import { Legend, type LegendItem } from '../charts/legend.tsx';
import { LineChart, type Level, type Line } from '../charts/line-chart.tsx';
import { OneOf } from '../parts/list/filters.tsx';
import type { UrlState } from '../parts/list/url-state.ts';
import { day, money, percent, plainMoney, shortDay } from '../words/format.ts';
import type { BudgetBurn, Burn } from './burn.ts';
import type { BudgetDetails } from './queries.ts';

interface Props {
  readonly budget: BudgetDetails;
  readonly month: BudgetBurn;
  readonly state: UrlState;
}

const views = [
  { value: 'spent', label: 'Spent' },
  { value: 'remaining', label: 'Remaining' },
];

/** Burn chart of the budget month: spent or remaining amount, beside an even pace and the forecast. */
export function BurnChart({ budget, month: { burn, currency }, state }: Props) {
  const isSameCurrency = currency === budget.currency;
  const isDown = isSameCurrency && state.one('view') === 'remaining';
  const lines = useMemo(
    () => linesOf(burn, budget, { isDown, isSameCurrency }),
    [burn, budget, isDown, isSameCurrency],
  );
  const levels = useMemo(() => (isSameCurrency ? levelsOf(budget, isDown) : []), [budget, isDown, isSameCurrency]);
  const places = useMemo(() => burn.days.map((date) => ({ label: shortDay(date), title: day(date) })), [burn]);
  return (
    <Stack gap="sm">
      {!isSameCurrency && (
        <Alert color="yellow">
          The budget is kept in {budget.currency}, the days below in {currency}. Its amount, pace and forecast cannot be
          shown in the chart.
        </Alert>
      )}
      <Group justify="space-between" gap="xs">
        <Legend items={legendOf(lines, levels)} />
        {isSameCurrency && <OneOf state={state} name="view" label="What the chart shows" choices={views} />}
      </Group>
      <LineChart
        label={gistOf(budget, burn, currency)}
        places={places}
        lines={lines}
        levels={levels}
        currency={currency}
        height={300}
      />
    </Stack>
  );
}

function gistOf({ name, amount, forecastedSpend, ...budget }: BudgetDetails, burn: Burn, currency: string): string {
  const spent = `${name}: the complete days of the month add up to ${money(burn.complete, currency)}`;
  const until = budget.completeThrough ? `, through ${day(budget.completeThrough)}` : '';
  const end =
    forecastedSpend === null ? '' : `; ${money(forecastedSpend, budget.currency)} expected by the end of the month`;
  return `${spent}${until}, of a budget of ${plainMoney(amount, budget.currency)}${end}.`;
}

interface View {
  readonly isDown: boolean;
  readonly isSameCurrency: boolean;
}

function linesOf(burn: Burn, { amount }: BudgetDetails, { isDown, isSameCurrency }: View): Line[] {
  const turned = (values: readonly (number | null)[]) =>
    isDown ? values.map((value) => (value === null ? null : amount - value)) : values;
  const spent = { key: 'spent', label: isDown ? 'Remaining' : 'Spent', colour: 'var(--chart-1)' };
  const lines: Line[] = [{ ...spent, values: turned(burn.spent) }];
  const hasRunning = burn.running.filter((value) => value !== null).length > (burn.spent[0] === null ? 0 : 1);
  if (hasRunning)
    lines.push({
      ...spent,
      key: 'running',
      label: 'Not complete yet',
      isQuiet: true,
      isDashed: true,
      values: turned(burn.running),
    });
  if (!isSameCurrency) return lines;
  return [
    ...lines,
    { key: 'pace', label: 'Even pace', colour: 'var(--ink-soft)', isQuiet: true, values: turned(burn.pace) },
    {
      key: 'forecast',
      label: 'Forecast',
      colour: 'var(--chart-2)',
      isDashed: true,
      values: turned(burn.forecast),
    },
  ].filter(({ values }) => values.some((value) => value !== null));
}

function levelsOf({ amount, alertThresholds }: BudgetDetails, isDown: boolean): Level[] {
  const budget = { label: isDown ? 'Used up' : 'Budget', value: isDown ? 0 : amount, colour: 'var(--bad)' };
  const others = alertThresholds.filter((threshold) => threshold !== 100);
  return [
    budget,
    ...others.map((threshold) => {
      const spend = (amount * threshold) / 100;
      return { label: `${percent(threshold)} used`, value: isDown ? amount - spend : spend, colour: 'var(--warn)' };
    }),
  ];
}

function legendOf(lines: readonly Line[], levels: readonly Level[]): LegendItem[] {
  const [budget, threshold] = levels;
  const ofLevels = [
    ...(budget ? [{ ...budget, key: 'budget' }] : []),
    ...(threshold ? [{ ...threshold, key: 'threshold', label: 'Alert thresholds' }] : []),
  ];
  return [
    ...lines.map(({ key, label, colour, isDashed }) => ({ key, label, colour, ...(isDashed && { isDashed }) })),
    ...ofLevels.map(({ key, label, colour }) => ({ key, label, colour, isDashed: true })),
  ];
}
