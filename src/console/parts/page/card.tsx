import { Box, Group, Text, Title, Tooltip } from '@mantine/core';
import { useId, type HTMLAttributes, type ReactNode } from 'react';
import { Link } from 'wouter';
import { Muted } from '../form/menu.tsx';
import { money, signedMoney, signedPercent, words } from '../../words/format.ts';
import classes from './card.module.css';

interface Props {
  /** For links to the card. */
  readonly id?: string;
  readonly title?: string | undefined;
  /** Muted remark beside the title, or below it on phones. */
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  /** Cuts off a title that is too long for one line, and shows all of it on hover. */
  readonly isOneLine?: boolean;
  /** Content without padding, for tables. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

/** Page section with a heading. */
export function Card({ id, title, note, actions, isOneLine = false, flush = false, children }: Props) {
  const titleId = useId();
  return (
    <Box component="section" id={id} className={classes.card} {...(title && { 'aria-labelledby': titleId })}>
      {(title || actions) && (
        <Group className={classes.head} justify="space-between" gap="xs" mod={{ 'one-line': isOneLine }}>
          <Group gap="xs" align="baseline">
            {title && (
              <Title order={2} size="h5" id={titleId} {...(isOneLine && { title })}>
                {title}
              </Title>
            )}
            {note && (
              <Text component="span" size="xs" c="dimmed">
                {note}
              </Text>
            )}
          </Group>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
      )}
      <div className={flush ? classes.flush : classes.body}>{children}</div>
    </Box>
  );
}

/** Name and value of a property. Null values are omitted. */
export type Fact = readonly [name: string, value: ReactNode | null];

/** Description list of facts. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={`ruled ${classes.facts}`}>
      {facts
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <div key={name} className={classes.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

interface FigureCardProps {
  readonly label: string;
  readonly value: ReactNode;
  /** Comparison or breakdown below the figure. */
  readonly below?: ReactNode;
  /** Link to details. */
  readonly href?: string;
}

/** Key figure in large type, with its label above. Use `SimpleGrid` for several. */
export function FigureCard({ label, value, below, href }: FigureCardProps) {
  return (
    <Box className={classes.figure}>
      <Muted size="xs" fw={550}>
        {href ? (
          <Link href={href} className={classes.link}>
            {label}
          </Link>
        ) : (
          label
        )}
      </Muted>
      <Text component="div" className={classes.value}>
        {value}
      </Text>
      {below && (
        <Text component="div" size="sm" c="dimmed">
          {below}
        </Text>
      )}
    </Box>
  );
}

/** Meaning of a status for the user. */
export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'quiet';

/** Status label, coloured by tone. */
export function Status({
  value,
  tone,
  label,
}: {
  readonly value: string;
  readonly tone: Tone;
  readonly label?: string;
}) {
  return <span className={`${classes.status} ${classes[tone]}`}>{label ?? words(value)}</span>;
}

const tones: Readonly<Record<string, Tone>> = {
  OPEN: 'warn',
  ACKNOWLEDGED: 'busy',
  RESOLVED: 'quiet',
  IN_PROGRESS: 'busy',
  APPLIED: 'good',
  ARCHIVED: 'quiet',
  CRITICAL: 'bad',
  HIGH: 'bad',
  MEDIUM: 'warn',
  LOW: 'quiet',
  OK: 'good',
  WARNING: 'warn',
  EXCEEDED: 'bad',
  AT_RISK: 'warn',
  MATCHED: 'good',
  DIFFERENT: 'bad',
  PROVISIONAL: 'quiet',
  MISSING: 'warn',
  READY: 'good',
  PENDING: 'busy',
  SENT: 'good',
  FAILED: 'bad',
  SUCCEEDED: 'good',
  RUNNING: 'busy',
  QUEUED: 'busy',
  CANCELLED: 'quiet',
  NEVER: 'quiet',
  CONNECTED: 'good',
  DISCONNECTED: 'quiet',
  ACCEPTED: 'good',
  EXPIRED: 'quiet',
  REVOKED: 'quiet',
};

/** Status label for an API value. */
export function StatusOf({ value }: { readonly value: string }) {
  return <Status value={value} tone={tones[value] ?? 'quiet'} />;
}

interface TrackProps extends HTMLAttributes<HTMLDivElement> {
  /** 0 to 100; other values are clamped. */
  readonly percent: number;
  readonly colour?: string;
}

/** Bar that is filled to a share. */
export function Track({ percent, colour = 'var(--accent)', className = '', ...rest }: TrackProps) {
  return (
    <div className={`${classes.track} ${className}`} {...rest}>
      <div style={{ width: `${Math.max(0, Math.min(100, percent))}%`, background: colour }} />
    </div>
  );
}

interface MeterProps {
  /** In percent; values over 100 fill the meter. */
  readonly percent: number;
  readonly tone: Extract<Tone, 'good' | 'warn' | 'bad'>;
  /** Accessible name, such as `Budget Shop`. */
  readonly label: string;
}

/** Meter for the used share of a limit. */
export function Meter({ percent, tone, label }: MeterProps) {
  return (
    <Track
      percent={percent}
      colour={`var(--${tone})`}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.max(0, Math.min(100, percent))}
      aria-valuetext={`${percent.toFixed(1)}%`}
    />
  );
}

/** Money in a cell or sentence. */
export function Money({ value, currency }: { readonly value: number | null; readonly currency: string }) {
  return <span className="figures">{value === null ? '–' : money(value, currency)}</span>;
}

interface ChangeProps {
  /** In percent; null if there is nothing to divide by. */
  readonly percent: number | null;
  /** The change as an amount, shown on hover, and the earlier amount: after zero, a cost is new. */
  readonly amount?: { readonly value: number; readonly before: number | null; readonly currency: string };
  /** Comparison period, such as `Oct 2026`, shown on hover. */
  readonly against?: string;
  /** Whether more is an improvement; default: less is. */
  readonly isMoreGood?: boolean;
}

/** Change of a cost. Sign, arrow and colour are redundant, so that none is needed by itself. */
export function Change({ percent, amount, against, isMoreGood = false }: ChangeProps) {
  if (percent === null) {
    const isNew = amount?.before === 0 && amount.value > 0;
    return (
      <Text component="span" size="sm" c="dimmed">
        {isNew ? 'new' : '–'}
      </Text>
    );
  }
  const color = Math.abs(percent) < 0.05 ? 'dimmed' : percent > 0 === isMoreGood ? 'var(--good)' : 'var(--bad)';
  const change = (
    <Text component="span" size="sm" c={color} className="figures" tabIndex={amount ? 0 : undefined}>
      {percent > 0.05 ? '▲ ' : percent < -0.05 ? '▼ ' : ''}
      {signedPercent(percent)}
    </Text>
  );
  if (!amount) return change;
  return (
    <Tooltip label={`${signedMoney(amount.value, amount.currency)}${against ? ` vs. ${against}` : ''}`}>
      {change}
    </Tooltip>
  );
}
