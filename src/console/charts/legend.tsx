import { UnstyledButton } from '@mantine/core';
import classes from './chart.module.css';
import { rest } from './colours.ts';

/** Legend entry. */
export interface LegendItem {
  readonly key: string;
  readonly label: string;
  readonly colour: string;
  /** Drawn as a dashed line. */
  readonly isDashed?: boolean;
}

interface Props {
  readonly items: readonly LegendItem[];
  /** Keys of hidden series. */
  readonly hidden?: ReadonlySet<string>;
  /** Shows or hides a series; without it, entries are plain text. */
  onToggle?(key: string): void;
}

/** Colour legend of a chart, with the combined series last. */
export function Legend({ items, hidden, onToggle }: Props) {
  return (
    <div className={classes.legend}>
      {ranked(items).map((item) =>
        onToggle ? (
          <UnstyledButton
            key={item.key}
            className={classes.legendItem}
            onClick={() => onToggle(item.key)}
            aria-pressed={!hidden?.has(item.key)}
            aria-label={`Show ${item.label}`}
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

/** Orders series as people read them: the combined one last, though it is drawn at the bottom. */
export function ranked<Of extends { readonly colour: string }>(series: readonly Of[]): Of[] {
  return series.toSorted((one, other) => Number(one.colour === rest) - Number(other.colour === rest));
}

function Swatch({ of: { colour, isDashed } }: { readonly of: LegendItem }) {
  if (isDashed) return <span className={`${classes.swatch} ${classes.dashed}`} style={{ borderColor: colour }} />;
  return <span className={classes.swatch} style={{ background: colour }} />;
}
