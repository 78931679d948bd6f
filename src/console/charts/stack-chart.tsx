import { useCallback, useMemo } from 'react';
import { money } from '../words/format.ts';
import { Frame, type Plot, type TipLine, TipText } from './frame.tsx';
import { ranked } from './legend.tsx';
import {
  AgainstLine,
  Areas,
  Bars,
  Flags,
  Lines,
  Notes,
  type Flag,
  type Note,
  type Stack,
  type Series,
} from './stack-shapes.tsx';

/** Comparison values, such as those of the previous period, drawn as a thin line. */
export interface Against {
  readonly values: readonly (number | null)[];
  /** Tooltip label of each value. */
  readonly labels: readonly string[];
}

/** How the series are drawn. `cumulative` adds each place to those before it. */
export type Shape = 'bar' | 'line' | 'area' | 'cumulative';

interface Props {
  readonly label: string;
  readonly stacks: readonly Stack[];
  readonly series: readonly Series[];
  readonly currency: string;
  readonly shape?: Shape;
  readonly height?: number;
  readonly against?: Against | null;
  /** Events, such as anomalies, by place. */
  readonly flags?: readonly Flag[];
  readonly notes?: readonly Note[];
  onPick?(stack: Stack): void;
}

const none: readonly never[] = [];

/** Costs of several series over time. Stacked shapes have credits below the axis and everything else above; totals are the sums
 *  of the parts. */
export function StackChart(props: Props) {
  const { label, series, currency, shape = 'bar', height, flags = none, notes = none, onPick } = props;
  const { stacks, against } = useMemo(
    () =>
      shape === 'cumulative'
        ? cumulated(props.stacks, props.against ?? null)
        : { stacks: props.stacks, against: props.against ?? null },
    [shape, props.stacks, props.against],
  );
  const bounds = useMemo(() => boundsOf(stacks, against, shape), [stacks, against, shape]);
  const draw = useCallback(
    (plot: Plot) => {
      const Shapes = shape === 'bar' ? Bars : shape === 'line' ? Lines : Areas;
      return (
        <>
          <Shapes plot={plot} stacks={stacks} series={series} />
          {against && <AgainstLine plot={plot} values={against.values} />}
          <Flags plot={plot} flags={flags} />
          <Notes plot={plot} notes={notes} />
        </>
      );
    },
    [shape, stacks, series, against, flags, notes],
  );
  const pick = onPick && ((index: number) => props.stacks[index] && onPick(props.stacks[index]));
  const more = (index: number): TipLine[] => [
    ...againstTip(against, index, currency),
    ...flags.filter(({ at }) => at === index).map(({ name, value }) => ({ name, value })),
  ];
  const textsAt = (index: number) =>
    notes.filter(({ from, to }) => from <= index && index <= to).map(({ text }) => text);
  return (
    <Frame
      label={label}
      count={stacks.length}
      {...bounds}
      currency={currency}
      {...(height && { height })}
      xLabel={(index) => stacks[index]?.label ?? ''}
      tip={(index) => (
        <StackTip stack={stacks[index]} series={series} currency={currency} more={more(index)} notes={textsAt(index)} />
      )}
      onPick={pick}
    >
      {draw}
    </Frame>
  );
}

function cumulated(stacks: readonly Stack[], against: Against | null): { stacks: Stack[]; against: Against | null } {
  let sums: readonly number[] = [];
  const summed = stacks.map((stack) => {
    sums = stack.parts.map((part, index) => (sums[index] ?? 0) + part);
    return { ...stack, parts: sums };
  });
  let before = 0;
  const values = against?.values.map((value) => (value === null ? null : (before += value)));
  return { stacks: summed, against: against && values ? { ...against, values } : null };
}

function boundsOf(stacks: readonly Stack[], against: Against | null, shape: Shape): { min: number; max: number } {
  const values = (against?.values ?? []).filter((value) => value !== null);
  for (const { parts } of stacks) {
    if (shape === 'line') values.push(...parts);
    else values.push(sum(parts.filter((part) => part > 0)), sum(parts.filter((part) => part < 0)));
  }
  const max = values.reduce((most, value) => Math.max(most, value), 0);
  const min = values.reduce((least, value) => Math.min(least, value), 0);
  return { min, max: max === 0 && min === 0 ? 1 : max };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function againstTip(against: Against | null, at: number, currency: string): TipLine[] {
  const value = against?.values[at] ?? null;
  return value === null ? [] : [{ name: against?.labels[at] ?? '', value: money(value, currency) }];
}

interface StackTipProps extends Pick<Props, 'series' | 'currency'> {
  readonly stack: Stack | undefined;
  readonly more: readonly TipLine[];
  readonly notes: readonly string[];
}

function StackTip({ stack, series, currency, more, notes }: StackTipProps) {
  if (!stack) return null;
  const lines: TipLine[] = ranked(series.map((one, index) => ({ ...one, cost: stack.parts[index] ?? 0 })))
    .filter(({ cost }) => cost !== 0)
    .map(({ label, colour, cost }) => ({ name: label, colour, value: money(cost, currency) }));
  const total = { name: 'Total', value: money(sum(stack.parts), currency) };
  const title = stack.isPartial ? `${stack.title} · not complete yet` : stack.title;
  return <TipText title={title} lines={[...(series.length === 1 ? [] : lines), total, ...more]} notes={notes} />;
}
