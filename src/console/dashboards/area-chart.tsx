import { useCallback, useMemo } from 'react';
import { Frame, type Plot, type TipLine, TipText } from '../charts/frame.tsx';
import type { Series, Stack } from '../charts/stacked-bars.tsx';
import { money } from '../words/format.ts';

interface Props {
  readonly label: string;
  readonly stacks: readonly Stack[];
  readonly series: readonly Series[];
  readonly currency: string;
  readonly height: number;
}

/** Stacked areas over time. Credits reduce the areas above them. */
export function AreaChart({ label, stacks, series, currency, height }: Props) {
  const edges = useMemo(() => edgesOf(stacks, series.length), [stacks, series.length]);
  const draw = useCallback(
    (plot: Plot) =>
      series.map(({ key, colour }, index) => (
        <path key={key} d={areaOf(plot, edges[index] ?? [], edges[index + 1] ?? [])} fill={colour} opacity={0.85} />
      )),
    [series, edges],
  );
  const all = edges.flat();
  const max = Math.max(0, ...all);
  return (
    <Frame
      label={label}
      count={stacks.length}
      min={Math.min(0, ...all)}
      max={max === 0 ? 1 : max}
      currency={currency}
      height={height}
      xLabel={(index) => stacks[index]?.label ?? ''}
      tip={(index) => <Tip stack={stacks[index]} series={series} currency={currency} />}
    >
      {draw}
    </Frame>
  );
}

/** Sums below each series, from the axis up: one line more than there are series. */
function edgesOf(stacks: readonly Stack[], count: number): number[][] {
  const edges: number[][] = [stacks.map(() => 0)];
  for (let index = 0; index < count; index += 1)
    edges.push(stacks.map(({ parts }, at) => (edges[index]?.[at] ?? 0) + (parts[index] ?? 0)));
  return edges;
}

function areaOf(plot: Plot, low: readonly number[], high: readonly number[]): string {
  const point = (value: number, at: number) => `${plot.x(at)} ${plot.y(value)}`;
  const [up, down] = [high.map(point), low.map(point).toReversed()];
  return up.length === 0 ? '' : `M${[...up, ...down].join('L')}Z`;
}

interface TipProps extends Pick<Props, 'series' | 'currency'> {
  readonly stack: Stack | undefined;
}

function Tip({ stack, series, currency }: TipProps) {
  if (!stack) return null;
  const lines: TipLine[] = series
    .map(({ label, colour }, index) => ({ name: label, colour, cost: stack.parts[index] ?? 0 }))
    .filter(({ cost }) => cost !== 0)
    .toReversed()
    .map(({ name, colour, cost }) => ({ name, colour, value: money(cost, currency) }));
  const total = stack.parts.reduce((sum, part) => sum + part, 0);
  return <TipText title={stack.title} lines={[...lines, { name: 'Total', value: money(total, currency) }]} />;
}
