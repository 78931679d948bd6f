import { useMemo } from 'react';
import type { Plot } from './frame.tsx';

/** Series of a chart, bottom first. */
export interface Series {
  readonly key: string;
  readonly label: string;
  readonly colour: string;
}

/** Place of a chart with one part per series, in the order of the series. */
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

interface Props {
  readonly plot: Plot;
  readonly stacks: readonly Stack[];
  readonly series: readonly Series[];
}

/** Widest bar, in px: few bars must not become blocks. */
const widest = 48;

/** Stacked bars: one path per series, so that a thousand bars are only a few elements. */
export function Bars({ plot, stacks, series }: Props) {
  const paths = useMemo(() => barPaths(plot, stacks, series.length), [plot, stacks, series.length]);
  return (
    <>
      {series.map(({ key, colour }, index) => (
        <path key={key} d={paths.whole[index]} fill={colour} />
      ))}
      {series.map(({ key, colour }, index) => (
        <path key={key} d={paths.partial[index]} fill={colour} opacity={0.45} />
      ))}
      <ZeroLine plot={plot} />
    </>
  );
}

function barPaths(plot: Plot, stacks: readonly Stack[], count: number) {
  const whole = Array.from({ length: count }, () => '');
  const partial = Array.from({ length: count }, () => '');
  const gap = plot.step > 6 ? Math.min(plot.step * 0.24, 14) : plot.step > 3 ? 1 : 0;
  const width = Math.min(Math.max(plot.step - gap, 0.6), widest);
  for (const [at, stack] of stacks.entries()) {
    const x = plot.x(at) - width / 2;
    const paths = stack.isPartial ? partial : whole;
    for (const [index, [from, to]] of edgesOf(stack).entries())
      if (from !== to) paths[index] += `M${x} ${plot.y(from)}V${plot.y(to)}h${width}V${plot.y(from)}Z`;
  }
  return { whole, partial };
}

/** Lower and upper edge of each part: credits are stacked below the axis, everything else above. */
function edgesOf({ parts }: Stack): (readonly [from: number, to: number])[] {
  let up = 0;
  let down = 0;
  return parts.map((part) => {
    const from = part >= 0 ? up : down;
    if (part >= 0) up += part;
    else down += part;
    return [from, from + part];
  });
}

/** Stacked areas: positive values above the axis, negative ones below it, each stacked separately, so that no area jumps from one side to
 *  the other. */
export function Areas({ plot, stacks, series }: Props) {
  const paths = useMemo(() => areaPaths(plot, stacks, series.length), [plot, stacks, series.length]);
  return (
    <>
      {series.map(({ key, colour }, index) => (
        <path key={key} d={paths[index]} fill={colour} stroke={colour} strokeWidth={0.75} />
      ))}
      <ZeroLine plot={plot} />
    </>
  );
}

/** SVG path of each series. */
export function areaPaths(plot: Plot, stacks: readonly Stack[], count: number): string[] {
  const sides = [
    stacks.map(({ parts }) => edgesOn(parts, (part) => Math.max(part, 0))),
    stacks.map(({ parts }) => edgesOn(parts, (part) => Math.min(part, 0))),
  ];
  return Array.from({ length: count }, (_, index) => {
    const filled = sides.filter((side) => side.some((edges) => edges[index]?.[0] !== edges[index]?.[1]));
    const outlines = filled.map((side) => {
      const at = (edge: 0 | 1) => side.map((edges, place) => pointOf(plot, place, edges[index]?.[edge] ?? 0));
      return `M${at(1).join('L')}L${at(0).toReversed().join('L')}Z`;
    });
    return outlines.join('');
  });
}

/** Edges of each part on one side of the axis. */
function edgesOn(parts: readonly number[], sideOf: (part: number) => number): (readonly [from: number, to: number])[] {
  let sum = 0;
  return parts.map((part) => {
    const from = sum;
    sum += sideOf(part);
    return [from, sum];
  });
}

/** One line per series. */
export function Lines({ plot, stacks, series }: Props) {
  return (
    <>
      <ZeroLine plot={plot} />
      {series.map(({ key, colour }, index) => {
        const values = stacks.map(({ parts }) => parts[index] ?? 0);
        return <Line key={key} plot={plot} values={values} colour={colour} width={2} />;
      })}
    </>
  );
}

/** Comparison values as a thin line over the series. */
export function AgainstLine({ plot, values }: { readonly plot: Plot; readonly values: readonly (number | null)[] }) {
  return <Line plot={plot} values={values} colour="var(--ink-soft)" width={1.25} />;
}

interface LineProps {
  readonly plot: Plot;
  /** Null ends the line. */
  readonly values: readonly (number | null)[];
  readonly colour: string;
  readonly width: number;
}

function Line({ plot, values, colour, width }: LineProps) {
  const points = values.flatMap((value, at) => (value === null ? [] : [pointOf(plot, at, value)]));
  if (points.length === 0) return null;
  // A line of one place would have no length.
  const [x = '', y = ''] = points[0]?.split(' ') ?? [];
  const path = points.length === 1 ? `${Number(x) - 12} ${y}L${Number(x) + 12} ${y}` : points.join('L');
  return <path d={`M${path}`} fill="none" stroke={colour} strokeWidth={width} strokeLinejoin="round" />;
}

function pointOf(plot: Plot, at: number, value: number): string {
  return `${plot.x(at).toFixed(1)} ${plot.y(value).toFixed(1)}`;
}

function ZeroLine({ plot }: { readonly plot: Plot }) {
  const y = plot.y(0);
  return <line x1={plot.left} x2={plot.right} y1={y} y2={y} stroke="var(--ink-soft)" strokeOpacity={0.5} />;
}

/** Event at a place, such as an anomaly. */
export interface Flag {
  readonly at: number;
  /** Tooltip line. */
  readonly name: string;
  readonly value: string;
}

/** Markers at the top of the chart; the tooltip of their place has the text. */
export function Flags({ plot, flags }: { readonly plot: Plot; readonly flags: readonly Flag[] }) {
  return [...new Set(flags.map(({ at }) => at))].map((at) => {
    const x = plot.x(at);
    return (
      <g key={at}>
        <line
          x1={x}
          x2={x}
          y1={plot.top}
          y2={plot.bottom}
          stroke="var(--bad)"
          strokeOpacity={0.5}
          strokeDasharray="2 3"
        />
        <path d={`M${x - 5} ${plot.top - 8}h10l-5 8Z`} fill="var(--bad)" />
      </g>
    );
  });
}

/** A text about places, such as a note of a member. */
export interface Note {
  /** First and last place, inclusive. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Markers at the top of the chart, at the first place of each note, with a line to the last; the tooltips of their places have the
 *  text. */
export function Notes({ plot, notes }: { readonly plot: Plot; readonly notes: readonly Note[] }) {
  const y = plot.top - 4;
  return notes.map(({ from, to, text }) => {
    const [x, end] = [plot.x(from), plot.x(to)];
    return (
      <g key={`${from} ${to} ${text}`} fill="var(--ink)" stroke="var(--ink)">
        <line x1={x} x2={x} y1={plot.top} y2={plot.bottom} strokeOpacity={0.55} strokeDasharray="2 3" />
        {to > from && <line x1={x} x2={end} y1={y} y2={y} strokeWidth={2} strokeOpacity={0.55} />}
        <path d={`M${x} ${y - 5}l5 5l-5 5l-5 -5Z`} stroke="none" />
      </g>
    );
  });
}
