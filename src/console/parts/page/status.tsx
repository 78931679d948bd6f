import { words } from '../../words/names.ts';
import meterClasses from './meter.module.css';
import classes from './status.module.css';

/** What a state means for the reader. */
export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'quiet';

/** A state in a word, with a colour by its tone. */
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
  READY: 'good',
  PENDING: 'busy',
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

/** A state of the API by its own word. */
export function StatusOf({ value }: { readonly value: string }) {
  return <Status value={value} tone={tones[value] ?? 'quiet'} />;
}

interface Props {
  /** In percent; more than 100 fills it. */
  readonly percent: number;
  readonly tone: Extract<Tone, 'good' | 'warn' | 'bad'>;
  /** What is measured, such as `Budget Shop`. */
  readonly label: string;
}

/** How much of a limit is used. */
export function Meter({ percent, tone, label }: Props) {
  return (
    <div
      className={meterClasses.meter}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.max(0, Math.min(100, percent))}
      aria-valuetext={`${percent.toFixed(1)} %`}
    >
      <div className={meterClasses[tone]} style={{ width: `${Math.max(0, Math.min(100, percent))}%` }} />
    </div>
  );
}
