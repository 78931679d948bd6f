import { ranked } from '../charts/legend.tsx';
import { DataTable, type Column } from '../parts/list/table.tsx';
import { money } from '../words/format.ts';
import { dimensionLabel } from './dimensions.ts';
import { sumOf } from './table/rows.ts';
import type { Stack, Series } from '../charts/stack-shapes.tsx';
import type { Granularity } from './address.ts';

interface Props {
  readonly label: string;
  readonly stacks: readonly Stack[];
  readonly series: readonly Series[];
  readonly granularity: Granularity;
  readonly currency: string;
}

/** Figures of a chart: one row per bar, one column per series. */
export function ChartTable({ label, stacks, series, granularity, currency }: Props) {
  const bar: Column<Stack> = { title: dimensionLabel('day', granularity), cell: ({ title }) => title };
  const own = ranked(series.map((one, index) => ({ ...one, index }))).map(
    ({ key, label: name, index }): Column<Stack> => ({
      key,
      title: name,
      align: 'right',
      cell: ({ parts }) => money(parts[index] ?? 0, currency),
    }),
  );
  const total: Column<Stack> = {
    key: 'sum',
    title: 'Total',
    align: 'right',
    cell: ({ parts }) => money(sumOf(parts), currency),
  };
  return (
    <DataTable
      label={label}
      rows={stacks}
      columns={[bar, ...(series.length > 1 ? own : []), total]}
      keyOf={({ key }) => key}
    />
  );
}

/** Formats the figures of a chart as tab-separated text, which spreadsheets paste as a table. Amounts have no currency sign. */
export function tabbed({ stacks, series, granularity }: Pick<Props, 'stacks' | 'series' | 'granularity'>): string {
  const columns = ranked(series.map((one, index) => ({ ...one, index })));
  const names = series.length > 1 ? columns.map(({ label }) => label) : [];
  const head = [dimensionLabel('day', granularity), ...names, 'Total'];
  const rows = stacks.map(({ title, parts }) => [
    title,
    ...(series.length > 1 ? columns.map(({ index }) => String(parts[index] ?? 0)) : []),
    String(sumOf(parts)),
  ]);
  return [head, ...rows].map((cells) => cells.map((cell) => cell.replaceAll(/[\t\n\r]/g, ' ')).join('\t')).join('\n');
}
