import type { AwsSession } from '../session.ts';

/** Where and of whom something is listed. */
export interface Place {
  /** `aws`, `aws-cn`, `aws-us-gov`. */
  readonly partition: string;
  readonly region: string;
  /** Number of the account that is signed in. */
  readonly account: string;
}

/** What every question takes. */
export interface Asking {
  readonly session: AwsSession;
  readonly place: Place;
  readonly signal: AbortSignal;
}
