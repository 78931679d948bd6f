import { useCallback, useMemo } from 'react';
import { money } from '../words/format.ts';
import { Frame, type Plot, type TipLine, TipText } from './frame.tsx';

/** Stacked series, bottom first. */
export interface Series {
  readonly key: string;
  readonly label: string;
  readonly colour: string;
}

/** Bar with one part per series, in the order of the series. */
export interface Stack {
  readonly key: string;
  /** Axis label, such as `Nov 3`. */
  readonly label: string;
  /** Tooltip title, such as `Nov 3, 2026`. */
  readonly title: string;
  readonly parts: readonly number[];
  /** Data is still incomplete. */
  readonly isPartial?: boolean;
}

/** Comparison values, such as the previous period, drawn as a mark over each bar. */
export interface Against {
  readonly values: readonly (number | null)[];
  /** Tooltip label of each mark. */
  readonly labels: readonly string[];
}

interface Props {
  readonly label: string;
  readonly stacks: readonly Stack[];
  readonly series: readonly Series[];
  readonly currency: string;
  readonly height?: number;
  readonly against?: Against | null;
  onPick?(stack: Stack): void;
}

/** Stacked costs over time: credits below the axis, everything else above. Totals are the sums of the parts. */
export function StackedBars({ label, stacks, series, currency, height, against = null, onPick }: Props) {
  const bounds = useMemo(() => boundsOf(stacks, against), [stacks, against]);
  const draw = useCallback(
    (plot: Plot) => (
      <>
        <Bars plot={plot} stacks={stacks} series={series} />
        {against && <Marks plot={plot} values={against.values} />}
      </>
    ),
    [stacks, series, against],
  );
  const pick = onPick && ((index: number) => stacks[index] && onPick(stacks[index]));
  return (
    <Frame
      label={label}
      count={stacks.length}
      {...bounds}
      currency={currency}
      {...(height && { height })}
      xLabel={(index) => stacks[index]?.label ?? ''}
      tip={(index) => (
        <StackTip stack={stacks[index]} series={series} currency={currency} more={markTip(against, index, currency)} />
      )}
      onPick={pick}
    >
      {draw}
    </Frame>
  );
}

function boundsOf(stacks: readonly Stack[], against: Against | null): { min: number; max: number } {
  let min = 0;
  let max = 0;
  for (const value of against?.values ?? []) {
    max = Math.max(max, value ?? 0);
    min = Math.min(min, value ?? 0);
  }
  for (const { parts } of stacks) {
    max = Math.max(max, sum(parts.filter((part) => part > 0)));
    min = Math.min(min, sum(parts.filter((part) => part < 0)));
  }
  return { min, max: max === 0 && min === 0 ? 1 : max };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

interface BarsProps {
  readonly plot: Plot;
  readonly stacks: readonly Stack[];
  readonly series: readonly Series[];
}

/** Draws one path per series, so that a thousand bars are only ten elements. */
function Bars({ plot, stacks, series }: BarsProps) {
  const paths = useMemo(() => pathsOf(plot, stacks, series.length), [plot, stacks, series.length]);
  return (
    <>
      {series.map(({ key, colour }, index) => (
        <path key={key} d={paths.whole[index]} fill={colour} />
      ))}
      {series.map(({ key, colour }, index) => (
        <path key={key} d={paths.partial[index]} fill={colour} opacity={0.45} />
      ))}
      <line x1={plot.left} x2={plot.right} y1={plot.y(0)} y2={plot.y(0)} stroke="var(--ink-soft)" strokeOpacity={0.5} />
    </>
  );
}

function pathsOf(plot: Plot, stacks: readonly Stack[], count: number) {
  const whole = Array.from({ length: count }, () => '');
  const partial = Array.from({ length: count }, () => '');
  const gap = plot.step > 6 ? Math.min(plot.step * 0.24, 14) : plot.step > 3 ? 1 : 0;
  const width = Math.max(plot.step - gap, 0.6);
  for (const [at, { parts, isPartial }] of stacks.entries()) {
    let up = 0;
    let down = 0;
    const x = plot.x(at) - width / 2;
    for (const [index, part] of parts.entries()) {
      const base = part >= 0 ? up : down;
      if (part >= 0) up += part;
      else down += part;
      const paths = isPartial ? partial : whole;
      if (part !== 0) paths[index] += `M${x} ${plot.y(base)}V${plot.y(base + part)}h${width}V${plot.y(base)}Z`;
    }
  }
  return { whole, partial };
}

/** Short horizontal mark over each place. */
function Marks({ plot, values }: { readonly plot: Plot; readonly values: Against['values'] }) {
  const half = plot.step * (plot.step > 6 ? 0.46 : 0.5);
  const path = values
    .map((value, at) => (value === null ? '' : `M${plot.x(at) - half} ${plot.y(value)}h${half * 2}`))
    .join('');
  return <path d={path} stroke="var(--ink)" strokeWidth={1.5} strokeOpacity={0.65} fill="none" />;
}

function markTip(against: Against | null, at: number, currency: string): TipLine[] {
  const value = against?.values[at] ?? null;
  return value === null ? [] : [{ name: against?.labels[at] ?? '', value: money(value, currency) }];
}

interface StackTipProps extends Pick<Props, 'series' | 'currency'> {
  readonly stack: Stack | undefined;
  readonly more: readonly TipLine[];
}

function StackTip({ stack, series, currency, more }: StackTipProps) {
  if (!stack) return null;
  const lines: TipLine[] = series
    .map(({ label, colour }, index) => ({ name: label, colour, cost: stack.parts[index] ?? 0 }))
    .filter(({ cost }) => cost !== 0)
    .toReversed()
    .map(({ name, colour, cost }) => ({ name, colour, value: money(cost, currency) }));
  const total = { name: 'Total', value: money(sum(stack.parts), currency) };
  const title = stack.isPartial ? `${stack.title} · not complete yet` : stack.title;
  return <TipText title={title} lines={[...(series.length === 1 ? [] : lines), total, ...more]} />;
}
