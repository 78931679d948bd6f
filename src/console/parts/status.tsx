import { words } from '../words/names.ts';
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
