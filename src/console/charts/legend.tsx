import { UnstyledButton } from '@mantine/core';
import classes from './chart.module.css';

/** An entry of a legend. */
export interface LegendItem {
  readonly key: string;
  readonly label: string;
  readonly colour: string;
  /** Drawn as a dashed line. */
  readonly isDashed?: boolean;
  /** Stands for nothing that could be picked, such as everything else. */
  readonly isPlain?: boolean;
}

interface Props {
  readonly items: readonly LegendItem[];
  /** What a click does, such as `Show only`; entries are plain text without it. */
  readonly verb?: string;
  onPick?(key: string): void;
}

/** Which colour is what. */
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
            <Swatch {...item} /> <span className={classes.legendText}>{item.label}</span>
          </UnstyledButton>
        ) : (
          <span key={item.key} className={classes.legendItem}>
            <Swatch {...item} /> <span className={classes.legendText}>{item.label}</span>
          </span>
        ),
      )}
    </div>
  );
}

function Swatch({ colour, isDashed }: LegendItem) {
  if (isDashed) return <span className={`${classes.swatch} ${classes.dashed}`} style={{ borderColor: colour }} />;
  return <span className={classes.swatch} style={{ background: colour }} />;
}

/** How many groups have a colour of their own; the others are drawn as one. */
export const coloured = 10;

/** The colour of the n-th group, from 0. */
export function colourOf(index: number): string {
  return index < coloured ? `var(--chart-${index + 1})` : rest;
}

/** What is not told apart. */
export const rest = 'var(--chart-rest)';
