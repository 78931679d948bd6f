import type { Day } from '../../../kit/time/period.ts';
import type { PriceBook } from './prices.ts';
import type { Script } from './script.ts';
import { shortId, type Saving, type Subject, type Window } from './subject.ts';

/** Input of detectors besides the subject. */
export interface Context {
  readonly window: Window;
  /** First day with costs of the account. */
  readonly dataFrom: Day;
  readonly prices: PriceBook;
}

/** Confidence in the saving. `high`: stated by the bill or the provider; `medium`: a documented factor, or likely but not
 *  certain; `low`: an upper bound, or something to check first. */
export type Confidence = 'low' | 'medium' | 'high';

/** Source of the saving. `observed`: only the account's own bills; `factor`: a documented share of them; `upper_bound`: at
 *  most this. */
export type Method = 'observed' | 'factor' | 'upper_bound';

export type EvidenceValue = string | number | boolean | null | readonly string[];

/** A possible saving on a subject. */
export interface Finding {
  /** What to do, including the subject's name: `Delete the unattached volume data-1`. */
  readonly title: string;
  /** Why, in one or two sentences, with what to check first. */
  readonly description: string;
  readonly savings: readonly Saving[];
  readonly confidence: Confidence;
  readonly method: Method;
  /** Observations, in snake_case; costs and window are added to them. */
  readonly evidence: Readonly<Record<string, EvidenceValue>>;
  /** Called only for findings that are kept. */
  readonly scripts: () => readonly Script[];
}

/** A method to find waste. Pure: the result depends only on the arguments. */
export interface Detector {
  /** snake_case, with the provider first if there is one: `aws_ebs_unattached`. Part of fingerprints: never renamed. */
  readonly type: string;
  /** What it finds, for the list of types. */
  readonly summary: string;
  /** Slug; null: any. */
  readonly provider: string | null;
  readonly about: Subject['about'];
  /** Whether applying it ends most or all of the usage that a commitment could cover, such as a machine's hours, so that
   *  this usage is excluded from commitment plans. */
  readonly endsUsage?: boolean;
  /** Null: nothing to save. */
  detect(subject: Subject, context: Context): Finding | null;
}

/** A row's result for a subject. Confidence, method and scripts override the row's own. */
export type Found = Pick<Finding, 'savings' | 'evidence'> & Partial<Pick<Finding, 'confidence' | 'method' | 'scripts'>>;

/** A text that can include the subject's name and the evidence. */
type Text = (subject: Subject, evidence: Finding['evidence']) => string;

/** Returns the command of a script.
 *  @param id the last part of the native id
 *  @returns null if the id lacks what the command needs */
type Command = (subject: Subject, id: string) => string | null;

export interface RowScript extends Pick<Script, 'title' | 'reversible'> {
  readonly command: Command;
}

/** Defines a script whose effect can be undone, for example from a snapshot that it takes first. */
export function reversible(title: string, command: Command): RowScript {
  return { title, reversible: true, command };
}

/** Defines a script whose effect cannot be undone. */
export function irreversible(title: string, command: Command): RowScript {
  return { title, reversible: false, command };
}

/** A detector as a row of a provider's table. */
export interface Row extends Pick<Detector, 'type' | 'summary' | 'endsUsage'> {
  /** Default: `resource`. */
  readonly about?: Subject['about'];
  readonly title: Text;
  readonly description: string | Text;
  readonly confidence: Confidence;
  readonly method: Method;
  /** Null, or no savings: nothing to save. */
  readonly find: (subject: Subject, context: Context) => Found | null;
  /** For the provider's command line. */
  readonly script?: RowScript;
  readonly terraform?: RowScript;
}

const commandLines = { aws: 'aws_cli', azure: 'azure_cli', gcp: 'gcloud' } as const;

/** Creates the detectors of a provider's table. */
export function detectorsOf(provider: keyof typeof commandLines, rows: readonly Row[]): readonly Detector[] {
  return rows.map((row) => ({
    type: row.type,
    summary: row.summary,
    provider,
    about: row.about ?? 'resource',
    endsUsage: row.endsUsage ?? false,
    detect(subject, context) {
      const found = row.find(subject, context);
      if (found === null || found.savings.length === 0) return null;
      const { title, description, confidence, method } = row;
      return {
        title: title(subject, found.evidence),
        description: typeof description === 'string' ? description : description(subject, found.evidence),
        confidence,
        method,
        scripts: () => [
          ...scriptOf(row.script, commandLines[provider], subject),
          ...scriptOf(row.terraform, 'terraform', subject),
        ],
        ...found,
      };
    },
  }));
}

function scriptOf(row: RowScript | undefined, kind: Script['kind'], subject: Subject): Script[] {
  const script = row?.command(subject, shortId(subject.nativeId)) ?? null;
  return row === undefined || script === null ? [] : [{ kind, title: row.title, script, reversible: row.reversible }];
}
