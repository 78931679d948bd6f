import type { Amount } from '../../kit/money.ts';
import type { Day } from '../../kit/period.ts';
import type { PriceBook } from './prices.ts';
import type { Script } from './script.ts';
import type { Subject, Usage, Window } from './subject.ts';

/** What a detector may know beside its subject. */
export interface Context {
  readonly window: Window;
  /** First day that the account has costs of. */
  readonly dataFrom: Day;
  readonly prices: PriceBook;
}

/** How sure the figure is: `high`, the bill or the provider says so; `medium`, a documented factor; `low`, an upper bound, or
 *  something that must be looked into first. */
export type Confidence = 'low' | 'medium' | 'high';

/** Where a figure comes from: `observed`, our own bills alone; `factor`, a documented share of them; `upper_bound`, no more
 *  than this. */
export type Method = 'observed' | 'factor' | 'upper_bound';

/** What is saved on one usage. */
export interface Saving {
  /** One of the subject's usages: each is claimed by one recommendation at most. */
  readonly usage: Usage;
  /** A month of 30.4375 days, in the subject's currency. */
  readonly amount: Amount;
}

/** A value of the evidence. */
export type EvidenceValue = string | number | boolean | null | readonly string[];

/** Money that could be saved on a subject. */
export interface Finding {
  /** What to do, naming the subject: `Delete the unattached volume data-1`. */
  readonly title: string;
  /** Why, in one or two sentences, with what to look into first. */
  readonly description: string;
  readonly savings: readonly Saving[];
  readonly confidence: Confidence;
  readonly method: Method;
  /** What was seen, snake_case; costs and window are added to it. */
  readonly evidence: Readonly<Record<string, EvidenceValue>>;
  /** Made for those that are kept alone. */
  readonly scripts: () => readonly Script[];
}

/** One way to find waste. Pure: what it says depends on its arguments alone. */
export interface Detector {
  /** snake_case, after the provider: `aws_ebs_unattached`. Part of fingerprints: never renamed. */
  readonly type: string;
  /** What it finds, for the list of types. */
  readonly summary: string;
  /** Slug; null: any. */
  readonly provider: string | null;
  readonly about: Subject['about'];
  /** True: with it ends usage that a commitment could cover, such as a machine's hours, or most of it. No commitment is
   *  planned for the rest. */
  readonly endsUsage?: boolean;
  /** Null: nothing to save. */
  detect(subject: Subject, context: Context): Finding | null;
}
