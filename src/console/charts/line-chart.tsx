import { useCallback, useMemo } from 'react';
import { money } from '../words/format.ts';
import { Frame, type Plot, type TipLine, TipText } from './frame.tsx';

/** Line over the places; null leaves a gap. */
export interface Line {
  readonly key: string;
  readonly label: string;
  readonly colour: string;
  readonly values: readonly (number | null)[];
  readonly isDashed?: boolean;
  /** Thinner than the others. */
  readonly isQuiet?: boolean;
}

/** Area between two lines, such as a prediction interval. */
export interface Band {
  readonly key: string;
  readonly label: string;
  readonly low: readonly (number | null)[];
  readonly high: readonly (number | null)[];
  readonly colour: string;
  /** 0 to 1. */
  readonly opacity?: number;
}

/** Horizontal line, such as a budget. */
export interface Level {
  readonly label: string;
  readonly value: number;
  readonly colour: string;
}

interface Props {
  readonly label: string;
  readonly places: readonly { readonly label: string; readonly title: string }[];
  readonly lines: readonly Line[];
  readonly bands?: readonly Band[];
  readonly levels?: readonly Level[];
  /** Places to highlight, such as the days of an anomaly; inclusive. */
  readonly marked?: readonly [from: number, to: number];
  readonly currency: string;
  /** Formats the values of the tooltip; default: money. */
  readonly figure?: (value: number, currency: string) => string;
  /** Formats the values of the axis; default: short money. */
  readonly axis?: (value: number, currency: string) => string;
  readonly height?: number;
}

const none: readonly never[] = [];

/** Time chart with lines, intervals and horizontal levels. */
export function LineChart(props: Props) {
  const { label, places, lines, bands = none, levels = none, marked, currency, figure = money, axis, height } = props;
  const bounds = useMemo(() => boundsOf(lines, bands, levels), [lines, bands, levels]);
  const draw = useCallback(
    (plot: Plot) => <Drawn plot={plot} lines={lines} bands={bands} levels={levels} marked={marked} />,
    [lines, bands, levels, marked],
  );
  return (
    <Frame
      label={label}
      count={places.length}
      {...bounds}
      currency={currency}
      axis={axis}
      {...(height && { height })}
      xLabel={(index) => places[index]?.label ?? ''}
      tip={(index) => (
        <TipText
          title={places[index]?.title ?? ''}
          lines={tipLines({ lines, bands, levels, figure: (value) => figure(value, currency) }, index)}
        />
      )}
    >
      {draw}
    </Frame>
  );
}

function boundsOf(lines: readonly Line[], bands: readonly Band[], levels: readonly Level[]) {
  const lists = [...lines.map(({ values }) => values), ...bands.flatMap(({ low, high }) => [low, high])];
  const values = [...lists.flat(), ...levels.map(({ value }) => value)].filter((value) => value !== null);
  const max = values.reduce((most, value) => Math.max(most, value), 0);
  const min = values.reduce((least, value) => Math.min(least, value), 0);
  return { min, max: max === 0 && min === 0 ? 1 : max };
}

type Shapes = Required<Pick<Props, 'lines' | 'bands' | 'levels'>>;

function tipLines({ lines, bands, levels, figure }: Shapes & { figure(value: number): string }, at: number): TipLine[] {
  const ofLines = lines.flatMap(({ label, colour, values }) => {
    const value = values[at] ?? null;
    return value === null ? [] : [{ name: label, colour, value: figure(value) }];
  });
  const ofBands = bands.flatMap(({ label, low, high, colour }) => {
    const [from, to] = [low[at] ?? null, high[at] ?? null];
    if (from === null || to === null) return [];
    return [{ name: label, colour, value: `${figure(from)} – ${figure(to)}` }];
  });
  const ofLevels = levels.map(({ label, value, colour }) => ({ name: label, colour, value: figure(value) }));
  return [...ofLines, ...ofBands, ...ofLevels];
}

interface DrawnProps extends Shapes {
  readonly plot: Plot;
  readonly marked: Props['marked'];
}

function Drawn({ plot, lines, bands, levels, marked }: DrawnProps) {
  return (
    <>
      {marked && <Marked plot={plot} from={marked[0]} to={marked[1]} />}
      {bands.map((band) => (
        <path key={band.key} d={areaOf(plot, band)} fill={band.colour} opacity={band.opacity ?? 0.18} />
      ))}
      {levels.map(({ label, value, colour }) => (
        <line
          key={label}
          x1={plot.left}
          x2={plot.right}
          y1={plot.y(value)}
          y2={plot.y(value)}
          stroke={colour}
          strokeDasharray="2 4"
          strokeWidth={1.5}
        />
      ))}
      {lines.map((line) => (
        <LinePath key={line.key} plot={plot} line={line} />
      ))}
    </>
  );
}

function LinePath({ plot, line }: { readonly plot: Plot; readonly line: Line }) {
  const lonely = line.values.flatMap((value, index) => {
    const isAlone =
      value !== null && (line.values[index - 1] ?? null) === null && (line.values[index + 1] ?? null) === null;
    return isAlone ? [{ index, value }] : [];
  });
  return (
    <>
      <path
        d={lineOf(plot, line.values)}
        fill="none"
        stroke={line.colour}
        strokeWidth={line.isQuiet ? 1.3 : 2}
        strokeLinejoin="round"
        {...(line.isDashed && { strokeDasharray: '5 4' })}
      />
      {lonely.map(({ index, value }) => (
        <circle key={index} cx={plot.x(index)} cy={plot.y(value)} r={2.5} fill={line.colour} />
      ))}
    </>
  );
}

function Marked({ plot, from, to }: { readonly plot: Plot; readonly from: number; readonly to: number }) {
  const x = plot.x(from) - plot.step / 2;
  const width = plot.x(to) + plot.step / 2 - x;
  return <rect x={x} width={width} y={plot.top} height={plot.bottom - plot.top} fill="var(--bad)" opacity={0.1} />;
}

function lineOf(plot: Plot, values: readonly (number | null)[]): string {
  let path = '';
  let isDown = false;
  for (const [index, value] of values.entries()) {
    if (value !== null) path += `${isDown ? 'L' : 'M'}${plot.x(index).toFixed(1)} ${plot.y(value).toFixed(1)}`;
    isDown = value !== null;
  }
  return path;
}

function areaOf(plot: Plot, { low, high }: Band): string {
  const places = high.flatMap((top, index) => {
    const bottom = low[index] ?? null;
    return top === null || bottom === null
      ? []
      : [{ x: plot.x(index).toFixed(1), top: plot.y(top), bottom: plot.y(bottom) }];
  });
  if (places.length === 0) return '';
  const there = places.map(({ x, top }) => `${x} ${top.toFixed(1)}`).join('L');
  const back = places.toReversed().map(({ x, bottom }) => `${x} ${bottom.toFixed(1)}`);
  return `M${there}L${back.join('L')}Z`;
}
