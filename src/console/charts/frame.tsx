import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import { shortMoney } from '../words/format.ts';
import classes from './chart.module.css';

/** Drawing area: places along the x axis, money along the y axis; in px. */
export interface Plot {
  /** Centre of a place. */
  readonly x: (index: number) => number;
  /** Width of a place. */
  readonly step: number;
  readonly y: (value: number) => number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

interface Props {
  /** Accessible name: one sentence with the chart's main message. */
  readonly label: string;
  /** Number of places along the x axis. */
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly currency: string;
  /** Formats a value of the axis; default: short money. */
  readonly axis?: ((value: number, currency: string) => string) | undefined;
  readonly height?: number;
  readonly xLabel: (index: number) => string;
  /** Tooltip of a place that is hovered or selected with the arrow keys. */
  readonly tip: (index: number) => ReactNode;
  /** Called on click or Enter. */
  readonly onPick?: ((index: number) => void) | undefined;
  readonly children: (plot: Plot) => ReactNode;
}

const margin = { left: 54, right: 8, top: 10, bottom: 24 };

/** Axes, grid, pointer and keyboard handling of a time chart; the children draw the data. */
export function Frame(props: Props) {
  const { label, count, min, max, height = 240 } = props;
  const { ref, width } = useElementSize();
  const values = useMemo(() => ticks(Math.min(0, min), Math.max(max, 0)), [min, max]);
  // Small credits must not force an empty band down to the next round value.
  const low = Math.min(min * 1.1, 0);
  const plot = useMemo(
    () => plotOf({ width, height, count, low, high: values.at(-1) ?? 1 }),
    [width, height, count, low, values],
  );
  const { children } = props;
  const drawn = useMemo(() => (width > 0 ? children(plot) : null), [children, plot, width]);
  const { shown, ...listeners } = usePlace(plot, count, props.onPick);
  return (
    <div
      ref={ref}
      className={classes.frame}
      style={{ height }}
      role="group"
      aria-label={label}
      tabIndex={0}
      {...listeners}
      data-pickable={props.onPick ? true : undefined}
    >
      {width > 0 && (
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden focusable="false">
          <Axes {...props} plot={plot} values={values} width={width} />
          {shown !== null && <Cursor plot={plot} at={shown} />}
          {drawn}
        </svg>
      )}
      {shown !== null && <Tip plot={plot} at={shown} width={width} content={props.tip(shown)} />}
    </div>
  );
}

/** State and event handlers of the place under the pointer or keyboard cursor. */
function usePlace(plot: Plot, count: number, onPick: Props['onPick']) {
  const [at, setAt] = useState<number | null>(null);
  const shown = at !== null && at < count ? at : null;
  // Touch has no hover: the first tap shows the tooltip, the second picks.
  const isFirstTap = useRef(false);
  const point = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    const index = Math.floor((event.clientX - box.left - plot.left) / plot.step);
    const next = index >= 0 && index < count ? index : null;
    if (event.type === 'pointerdown') isFirstTap.current = event.pointerType === 'touch' && next !== shown;
    setAt(next);
  };
  const pick = () => {
    const isPick = onPick && shown !== null && !isFirstTap.current;
    isFirstTap.current = false;
    if (!isPick) return;
    onPick(shown);
    // The next drawing has different places.
    setAt(null);
  };
  const press = (event: KeyboardEvent) => {
    const next = moved(event.key, shown, count);
    if (next !== undefined) {
      event.preventDefault();
      setAt(next);
    } else if (event.key === 'Enter') pick();
  };
  return {
    shown,
    onPointerMove: point,
    onPointerDown: point,
    onPointerLeave: (event: PointerEvent) => event.pointerType !== 'touch' && setAt(null),
    onClick: pick,
    onKeyDown: press,
    onBlur: () => setAt(null),
  };
}

function plotOf(size: { width: number; height: number; count: number; low: number; high: number }): Plot {
  const { width, height, count, low, high } = size;
  const { left, top } = margin;
  const right = Math.max(width - margin.right, left + 1);
  const bottom = height - margin.bottom;
  const step = (right - left) / Math.max(count, 1);
  const y = (value: number) => bottom - ((value - low) / (high - low || 1)) * (bottom - top);
  return { x: (index) => left + (index + 0.5) * step, step, y, left, right, top, bottom };
}

/** Returns the place that a key moves to; null leaves the chart, undefined means the key is not handled. */
function moved(key: string, at: number | null, count: number): number | null | undefined {
  switch (key) {
    case 'ArrowRight':
      return Math.min(count - 1, (at ?? -1) + 1);
    case 'ArrowLeft':
      return Math.max(0, (at ?? count) - 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    case 'Escape':
      return null;
    default:
      return undefined;
  }
}

interface AxesProps extends Props {
  readonly plot: Plot;
  readonly values: readonly number[];
  readonly width: number;
}

function Axes({ plot, values, count, currency, axis = shortMoney, xLabel, width }: AxesProps) {
  const isLabelled = labelled(count, plot.right - plot.left, width < 500 ? 58 : 72);
  return (
    <g className={classes.axes}>
      {values.map((value) => (
        <g key={value}>
          <line x1={plot.left} x2={plot.right} y1={plot.y(value)} y2={plot.y(value)} />
          <text x={plot.left - 8} y={plot.y(value) + 4} textAnchor="end">
            {axis(value, currency)}
          </text>
        </g>
      ))}
      {Array.from({ length: count }, (_, index) => index)
        .filter(isLabelled)
        .map((index) => (
          <text key={index} {...xPlace(plot, index)} y={plot.bottom + 17}>
            {xLabel(index)}
          </text>
        ))}
    </g>
  );
}

/** Centres labels on their place, but keeps the first and last inside the chart. */
function xPlace(plot: Plot, index: number): { x: number; textAnchor: 'start' | 'middle' | 'end' } {
  const x = plot.x(index);
  if (x + 26 > plot.right) return { x: plot.right, textAnchor: 'end' };
  if (x - 26 < plot.left) return { x: plot.left, textAnchor: 'start' };
  return { x, textAnchor: 'middle' };
}

function Cursor({ plot, at }: { readonly plot: Plot; readonly at: number }) {
  const x = plot.x(at) - plot.step / 2;
  return <rect className={classes.cursor} x={x} width={plot.step} y={plot.top} height={plot.bottom - plot.top} />;
}

interface TipProps {
  readonly plot: Plot;
  readonly at: number;
  readonly width: number;
  readonly content: ReactNode;
}

/** Tooltip beside the place, on the side with more room; announced to screen readers as it changes. */
function Tip({ plot, at, width, content }: TipProps) {
  const x = plot.x(at);
  const side = x > width / 2 ? { right: width - x + plot.step / 2 + 8 } : { left: x + plot.step / 2 + 8 };
  return (
    <div className={classes.tip} style={side} role="status">
      {content}
    </div>
  );
}

/** Round axis values from the first at or above `min` to the first at or above `max`.
 *  @param most maximum number of values */
function ticks(min: number, max: number, most = 5): number[] {
  const span = max - min;
  if (!(span > 0)) return [min, min + 1];
  const rough = span / (most - 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.ceil(min / step - 1e-9);
  const last = Math.ceil(max / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

/** Selects which of `count` places get a label if each label needs `need` px of `width`: every nth, and always the last. */
function labelled(count: number, width: number, need: number): (index: number) => boolean {
  const every = Math.max(1, Math.ceil((count * need) / Math.max(width, 1)));
  return (index) => (count - 1 - index) % every === 0;
}

/** Tooltip line: colour, name, value. */
export interface TipLine {
  readonly name: string;
  readonly value: string;
  /** Series colour; absent for totals. */
  readonly colour?: string;
}

interface TipTextProps {
  readonly title: string;
  readonly lines: readonly TipLine[];
  /** Texts below the lines. */
  readonly notes?: readonly string[];
}

/** Tooltip content. */
export function TipText({ title, lines, notes = [] }: TipTextProps) {
  return (
    <>
      <div className={classes.tipTitle}>{title}</div>
      {lines.map(({ name, value, colour }) => (
        <div key={name} className={classes.tipRow}>
          <span className={classes.tipName}>
            {colour && <span className={classes.swatch} style={{ background: colour }} />}
            {name}
          </span>
          <span>{value}</span>
        </div>
      ))}
      {notes.map((text) => (
        <div key={text} className={classes.tipNote}>
          {text}
        </div>
      ))}
    </>
  );
}
