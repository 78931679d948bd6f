import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import classes from './bar-list.module.css';
import chartClasses from './chart.module.css';

/** One of the things that are compared. */
export interface Bar {
  readonly key: string;
  readonly label: string;
  readonly value: number;
  /** The figure as it is shown. */
  readonly shown: string;
  /** Quieter, beside the label. */
  readonly note?: string;
  /** Where it leads, such as to the list of just these. */
  readonly href?: string;
}

interface Props {
  /** What is compared, for those who do not see it. */
  readonly label: string;
  readonly bars: readonly Bar[];
  /** How many are shown at first. */
  readonly most?: number;
  /** Several of them, such as `types`. */
  readonly noun: string;
  /** Two columns where there is room. */
  readonly isWide?: boolean;
}

/** Things by size: a name, a figure and a bar each, the largest first as they come. */
export function BarList({ label, bars, most = 6, noun, isWide = false }: Props) {
  const [isWhole, setWhole] = useState(false);
  const max = bars.reduce((largest, { value }) => Math.max(largest, value), 0);
  const shown = isWhole ? bars : bars.slice(0, most);
  return (
    <>
      <ul className={`${classes.list} ${isWide ? classes.wide : ''}`} aria-label={label}>
        {shown.map((bar) => (
          <Row key={bar.key} bar={bar} max={max} />
        ))}
      </ul>
      {bars.length > most && (
        <Button variant="subtle" size="compact-xs" mt={6} onClick={() => setWhole(!isWhole)} aria-expanded={isWhole}>
          {isWhole ? 'Show fewer' : `Show all ${bars.length} ${noun}`}
        </Button>
      )}
    </>
  );
}

function Row({ bar, max }: { readonly bar: Bar; readonly max: number }) {
  const { label, value, shown, note, href } = bar;
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <span className={classes.label}>
          {href ? <Link href={href}>{label}</Link> : label}
          {note && (
            <Text component="span" size="xs" c="dimmed">
              {' '}
              {note}
            </Text>
          )}
        </span>
        <span className="figures">{shown}</span>
      </div>
      <div className={classes.track} aria-hidden>
        <div style={{ width: `${max > 0 ? Math.max(0, (value / max) * 100) : 0}%` }} />
      </div>
    </li>
  );
}

interface ShareBarProps {
  /** What is divided, with its figures: it is what those who do not see it are told. */
  readonly label: string;
  readonly parts: readonly { readonly key: string; readonly value: number; readonly colour: string }[];
}

/** Shares of a whole, as lengths. */
export function ShareBar({ label, parts }: ShareBarProps) {
  return (
    <div className={chartClasses.share} role="img" aria-label={label}>
      {parts
        .filter(({ value }) => value > 0)
        .map(({ key, value, colour }) => (
          <span key={key} style={{ flexGrow: value, flexBasis: 0, minWidth: 2, background: colour }} />
        ))}
    </div>
  );
}
