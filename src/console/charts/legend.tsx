import { UnstyledButton } from '@mantine/core';
import classes from './chart.module.css';

/** Legend entry. */
export interface LegendItem {
  readonly key: string;
  readonly label: string;
  readonly colour: string;
  /** Drawn as a dashed line. */
  readonly isDashed?: boolean;
  /** Not clickable, for example "Other". */
  readonly isPlain?: boolean;
}

interface Props {
  readonly items: readonly LegendItem[];
  /** What a click does, such as `Show only`; without it, entries are plain text. */
  readonly verb?: string;
  onPick?(key: string): void;
}

/** Colour legend of a chart. */
export function Legend({ items, verb, onPick }: Props) {
  return (
    <div className={classes.legend}>
      {items.map((item) =>
        onPick && !item.isPlain ? (
          <UnstyledButton
            key={item.key}
            className={classes.legendItem}
            onClick={() => onPick(item.key)}
            aria-label={`${verb ?? 'Show only'} ${item.label}`}
          >
            <Swatch of={item} /> <span className={classes.legendText}>{item.label}</span>
          </UnstyledButton>
        ) : (
          <span key={item.key} className={classes.legendItem}>
            <Swatch of={item} /> <span className={classes.legendText}>{item.label}</span>
          </span>
        ),
      )}
    </div>
  );
}

function Swatch({ of: { colour, isDashed } }: { readonly of: LegendItem }) {
  if (isDashed) return <span className={`${classes.swatch} ${classes.dashed}`} style={{ borderColor: colour }} />;
  return <span className={classes.swatch} style={{ background: colour }} />;
}

/** Number of groups with their own colour; the remaining groups share one. */
export const coloured = 10;

/** Colour of the nth group, zero-based. */
export function colourOf(index: number): string {
  return index < coloured ? `var(--chart-${index + 1})` : rest;
}

/** Colour of the combined remaining groups. */
export const rest = 'var(--chart-rest)';
