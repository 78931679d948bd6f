interface Props {
  readonly values: readonly number[];
  readonly colour?: string;
  readonly width?: number;
  readonly height?: number;
}

/** The shape of a series beside its figure. It says nothing that the figure does not, so it is hidden from readers. */
export function Sparkline({ values, colour = 'var(--chart-1)', width = 96, height = 24 }: Props) {
  const max = values.reduce((most, value) => Math.max(most, value), 0);
  const min = values.reduce((least, value) => Math.min(least, value), 0);
  const step = width / Math.max(values.length - 1, 1);
  const y = (value: number) => height - 1 - ((value - min) / (max - min || 1)) * (height - 2);
  const points = values.map((value, index) => `${(index * step).toFixed(1)},${y(value).toFixed(1)}`);
  return (
    <svg width={width} height={height} aria-hidden focusable="false" style={{ display: 'block' }}>
      <polyline points={points.join(' ')} fill="none" stroke={colour} strokeWidth={1.5} strokeLinejoin="round" />
    </svg>
  );
}
