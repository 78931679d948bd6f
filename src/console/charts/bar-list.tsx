import { Text, Group } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { Act } from '../parts/form/menu.tsx';
import { Track } from '../parts/page/card.tsx';
import classes from './bar-list.module.css';
import chartClasses from './chart.module.css';

/** Item of a bar list. */
export interface Bar {
  readonly key: string;
  readonly label: string;
  readonly value: number;
  /** Formatted value. */
  readonly shown: string;
  /** Muted text beside the label. */
  readonly note?: string;
  /** Link target, such as the filtered list. */
  readonly href?: string;
}

interface Props {
  /** Accessible name of the list. */
  readonly label: string;
  readonly bars: readonly Bar[];
  /** Items shown before expanding. */
  readonly most?: number;
  /** Plural noun of the items, such as `types`. */
  readonly noun: string;
  /** Two columns where there is room. */
  readonly isWide?: boolean;
}

/** Ranked list with a name, a value and a bar per item, in the given order (largest first). */
export function BarList({ label, bars, most = 6, noun, isWide = false }: Props) {
  const [isWhole, setWhole] = useState(false);
  const max = bars.reduce((largest, { value }) => Math.max(largest, value), 0);
  const shown = isWhole ? bars : bars.slice(0, most);
  return (
    <>
      <ul className={`plain ${classes.list} ${isWide ? classes.wide : ''}`} aria-label={label}>
        {shown.map((bar) => (
          <Row key={bar.key} bar={bar} max={max} />
        ))}
      </ul>
      {bars.length > most && (
        <Act
          label={isWhole ? 'Show fewer' : `Show all ${bars.length} ${noun}`}
          variant="subtle"
          size="compact-xs"
          mt={6}
          onClick={() => setWhole(!isWhole)}
          aria-expanded={isWhole}
        />
      )}
    </>
  );
}

function Row({ bar, max }: { readonly bar: Bar; readonly max: number }) {
  const { label, value, shown, note, href } = bar;
  return (
    <li>
      <Group justify="space-between" gap={12} wrap="nowrap">
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
      </Group>
      <Track percent={max > 0 ? (value / max) * 100 : 0} style={{ height: 5, marginTop: 3 }} aria-hidden />
    </li>
  );
}

interface ShareBarProps {
  /** Accessible name, including the figures: it is the only text for screen readers. */
  readonly label: string;
  readonly parts: readonly { readonly key: string; readonly value: number; readonly colour: string }[];
}

/** Bar divided into shares of a whole. */
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
