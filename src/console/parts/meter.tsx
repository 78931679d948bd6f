import classes from './meter.module.css';
import type { Tone } from './status.tsx';

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
      className={classes.meter}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.max(0, Math.min(100, percent))}
      aria-valuetext={`${percent.toFixed(1)} %`}
    >
      <div className={classes[tone]} style={{ width: `${Math.max(0, Math.min(100, percent))}%` }} />
    </div>
  );
}
