import { SimpleGrid, Stack } from '@mantine/core';
import { useMemo, type ReactNode } from 'react';
import { useMe } from '../api/me.tsx';
import { LineChart } from '../charts/line-chart.tsx';
import { Muted } from '../parts/form/menu.tsx';
import { DataTable, type Column } from '../parts/list/table.tsx';
import { Card, Change, FigureCard } from '../parts/page/card.tsx';
import { Caveats } from '../parts/page/caveats.tsx';
import { monthEnd, monthStart } from '../words/days.ts';
import {
  count,
  counted,
  day,
  days,
  money,
  month,
  shortDay,
  unitMoney,
  unitMoneyOf,
  wholeMoney,
} from '../words/format.ts';
import type { UnitCost } from './queries.ts';
import { unitCostRows, type UnitCostRow } from './rows.ts';

type Point = UnitCost['points'][number];

/** Maximum rows of the table. */
const mostRows = 100;

interface Props {
  readonly cost: UnitCost;
  /** Button for its points as CSV. */
  readonly csv: ReactNode;
}

/** Figures, chart and table of a cost per unit. */
export function UnitCostBody({ cost, csv }: Props) {
  const { currency, totalCost, totalQuantity, costPerUnit, metric, completeThrough, startDate, endDate } = cost;
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
        <FigureCard
          label={`Cost per ${metric.unit}`}
          value={costPerUnit === null ? '–' : unitMoney(costPerUnit, currency)}
          below={<Divided cost={cost} />}
        />
        <FigureCard
          label="Cost"
          value={wholeMoney(totalCost, currency)}
          below={`${days(startDate, endDate)}${completeThrough !== null && completeThrough < endDate ? `, complete through ${day(completeThrough)}` : ''}`}
        />
        <FigureCard
          label={metric.name}
          value={totalQuantity === null ? '–' : count(totalQuantity, 2)}
          below={<Missing cost={cost} />}
        />
      </SimpleGrid>
      <Caveats of={cost} />
      <Card title={`Cost per ${metric.unit}`}>
        <Drawn cost={cost} />
      </Card>
      <Points cost={cost} csv={csv} />
    </Stack>
  );
}

/** The cost that was divided: periods without values do not count. */
function Divided({ cost }: Pick<Props, 'cost'>) {
  const { costPerUnit, measuredCost, totalCost, totalQuantity, granularity, currency } = cost;
  const isIncomplete = cost.unconverted.length + cost.missingBills.length > 0;
  const { accountAccess } = useMe();
  if (costPerUnit === null)
    return <>{totalQuantity !== null && isIncomplete ? 'Costs are incomplete' : 'No quantity in this range'}</>;
  if (accountAccess !== null) return <>Cost of your accounts, divided by the organization’s quantity</>;
  if (measuredCost === totalCost) return <>Cost divided by quantity</>;
  const periods = granularity === 'DAILY' ? 'days' : 'months';
  return (
    <>
      {money(measuredCost, currency)} for {periods} with values, divided by quantity
    </>
  );
}

/** Days without values. */
function Missing({ cost: { daysWithoutValues } }: { readonly cost: UnitCost }) {
  const { length } = daysWithoutValues;
  if (length === 0) return <>Values for every day</>;
  const shown = daysWithoutValues.slice(-3).map(shortDay).join(', ');
  return (
    <>
      {counted(length, 'day')} without values{length > 3 ? ', most recently ' : ': '}
      {shown}
    </>
  );
}

/** A day or a month, or the days of a month that the range covers only in part. */
function titleOf({ granularity, endDate }: UnitCost, { date }: Point): string {
  if (granularity === 'DAILY') return day(date);
  const [first, end] = [monthStart(date), monthEnd(date)];
  const last = end < endDate ? end : endDate;
  return date === first && last === end ? month(date) : days(date, last);
}

function Drawn({ cost }: { readonly cost: UnitCost }) {
  const { points, currency, metric, granularity } = cost;
  const places = useMemo(
    () =>
      points.map((point) => ({
        label: granularity === 'DAILY' ? shortDay(point.date) : month(point.date).slice(0, 3),
        title: titleOf(cost, point),
      })),
    [cost, points, granularity],
  );
  const lines = useMemo(
    () => [
      {
        key: 'unit',
        label: `Cost per ${metric.unit}`,
        colour: 'var(--chart-1)',
        values: points.map(({ costPerUnit }) => costPerUnit),
      },
    ],
    [points, metric.unit],
  );
  return (
    <LineChart
      label={`Cost per ${metric.unit} over ${counted(points.length, granularity === 'DAILY' ? 'day' : 'month')}.`}
      places={places}
      lines={lines}
      currency={currency}
      figure={unitMoney}
      height={240}
    />
  );
}

function Points({ cost, csv }: Props) {
  const rows = useMemo(() => unitCostRows(cost), [cost]);
  return (
    <Card title={cost.granularity === 'DAILY' ? 'Days' : 'Months'} actions={csv} flush>
      <DataTable
        label={`Cost per ${cost.metric.unit}`}
        rows={rows.slice(0, mostRows)}
        columns={columnsOf(cost)}
        keyOf={({ date }) => date}
      />
      {rows.length > mostRows && (
        <Muted size="xs" px="md" py="sm">
          The last {mostRows} of {counted(rows.length, 'day')}; the CSV has all.
        </Muted>
      )}
    </Card>
  );
}

function columnsOf(cost: UnitCost): Column<UnitCostRow>[] {
  const { currency, metric, granularity, points } = cost;
  const figure = unitMoneyOf(
    points.map(({ costPerUnit }) => costPerUnit),
    currency,
  );
  return [
    { title: granularity === 'DAILY' ? 'Day' : 'Month', grow: true, cell: (row) => titleOf(cost, row) },
    { title: 'Cost', align: 'right', hideOn: 'phone', cell: (row) => money(row.cost, currency) },
    {
      title: 'Quantity',
      align: 'right',
      hideOn: 'half',
      cell: ({ quantity }) => (quantity === null ? 'No values' : count(quantity, 2)),
    },
    {
      title: `Per ${metric.unit}`,
      align: 'right',
      cell: ({ costPerUnit }) => (costPerUnit === null ? '–' : figure(costPerUnit)),
    },
    {
      title: 'Change',
      align: 'right',
      hideOn: 'phone',
      cell: ({ change }) => <Change percent={change} isMoreGood={metric.direction === 'HIGHER_IS_BETTER'} />,
    },
  ];
}
