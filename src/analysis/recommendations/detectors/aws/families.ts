import type { Context, Finding } from '../detector.ts';
import { priceCut } from '../repriced.ts';
import type { Subject, Usage } from '../subject.ts';

// Replacement families. A target has the same vCPUs and memory at the same size, and a lower list price in us-east-1 (EC2 and
// RDS price pages, 2026). Sizes that a target lacks are left out.

const common = ['large', 'xlarge', '2xlarge', '4xlarge', '8xlarge', '12xlarge', '16xlarge'];
const large = [...common, '24xlarge'];
const larger = [...large, '32xlarge'];
const burstable = ['nano', 'micro', 'small', 'medium', 'large', 'xlarge', '2xlarge'];

/** Replacements by family: target families, preferred one first; sizes that all have; and the list price reduction of the
 *  first, in percent, rounded down. */
export type Families = Readonly<
  Record<string, readonly [targets: readonly string[], sizes: readonly string[], percent: number]>
>;

/** List price reductions of moves to the next generation and to AMD processors, in percent: the figures of AWS's Cloud
 *  Intelligence Dashboards. */
const nextGeneration = 5;
const amd = 10;

/** Maps families that AWS calls previous generation, and t2, to current ones of the same architecture. */
export const currentOf: Families = {
  m3: [['m6i', 'm5'], common, nextGeneration],
  m4: [['m6i', 'm5'], common, nextGeneration],
  c3: [['c6i', 'c5'], common, nextGeneration],
  c4: [['c6i', 'c5'], ['large', 'xlarge', '2xlarge', '4xlarge'], nextGeneration],
  r3: [['r6i', 'r5'], common, nextGeneration],
  r4: [['r6i', 'r5'], common, nextGeneration],
  t2: [['t3'], burstable, nextGeneration],
};

/** Maps Intel and AMD families to those with AWS's arm64 processors (Graviton). */
export const gravitonOf: Families = {
  m5: [['m6g', 'm7g'], common, 19],
  m6i: [['m7g', 'm6g'], common, 15],
  m7i: [['m8g', 'm7g'], large, 10],
  c5: [['c6g', 'c7g'], ['large', 'xlarge', '2xlarge', '4xlarge', '12xlarge'], 20],
  c6i: [['c7g', 'c6g'], common, 14],
  c7i: [['c8g', 'c7g'], large, 10],
  r5: [['r6g', 'r7g'], common, 20],
  r6i: [['r7g', 'r6g'], common, 15],
  r7i: [['r8g', 'r7g'], large, 10],
  t3: [['t4g'], burstable, 19],
  m5a: [['m6g', 'm7g'], common, 10],
  m6a: [['m7g', 'm6g'], common, 5],
  c5a: [['c6g', 'c7g'], common, 11],
  c6a: [['c7g', 'c6g'], common, 5],
  r5a: [['r6g', 'r7g'], common, 10],
  r6a: [['r7g', 'r6g'], common, 5],
  t3a: [['t4g'], burstable, 10],
};

/** Same as `gravitonOf`, for databases. In RDS the seventh generation costs as much as Intel's sixth, so the sixth comes first. */
export const gravitonDatabaseOf: Families = {
  m5: [['m6g', 'm7g'], common, 10],
  m6i: [['m6g', 'm7g'], common, 10],
  r5: [['r6g', 'r7g'], common, 10],
  r6i: [['r6g', 'r7g'], common, 10],
  t3: [['t4g'], burstable, 4],
};

/** Database classes of previous generations. Those of r3, r4 and t2 cost as much as their successors. */
export const currentDatabaseOf: Families = {
  m3: [['m6i', 'm5'], common, 7],
  m4: [['m6i', 'm5'], common, 2],
  r3: [['r6i', 'r5'], common, 0],
  r4: [['r6i', 'r5'], common, 0],
  t2: [['t3'], burstable, 0],
};

/** Maps Intel families to those with AMD processors. From the seventh generation on, AMD costs more. */
export const amdOf: Families = {
  m5: [['m5a'], large, amd],
  m6i: [['m6a'], larger, amd],
  c5: [['c5a'], ['large', 'xlarge', '2xlarge', '4xlarge', '12xlarge', '24xlarge'], amd],
  c6i: [['c6a'], larger, amd],
  r5: [['r5a'], large, amd],
  r6i: [['r6a'], larger, amd],
  t3: [['t3a'], burstable, amd],
};

/** A machine or database that can move to another family. */
export interface Movable {
  readonly subject: Subject;
  readonly usage: readonly Usage[];
  /** `m4.xlarge`, or `db.m4.xlarge` for a database. */
  readonly type: string;
  /** The meter of a type; null if the price on that meter does not apply to the subject. */
  readonly meterOf: ((type: string) => string) | null;
}

/** Returns the move to the cheapest replacement for which the account has a price, or else to the first one. Null without
 *  one. */
export function moveOf(
  context: Context,
  { subject, usage, type, meterOf }: Movable,
  families: Families,
): (Pick<Finding, 'savings' | 'method' | 'confidence'> & { readonly target: string }) | null {
  const [, prefix = '', family = '', size = ''] = /^(db\.|cache\.)?([a-z0-9-]+)\.([a-z0-9]+)$/.exec(type) ?? [];
  const [targets, sizes, percent] = families[family] ?? [[], [], 0];
  const [first] = targets;
  if (first === undefined || !sizes.includes(size)) return null;
  const types = targets.map((each) => `${prefix}${each}.${size}`);
  const priced = types.flatMap((each) => {
    const price = meterOf === null ? null : context.prices.priceOf(subject, meterOf(each));
    return price === null ? [] : [{ type: each, price }];
  });
  const [best] = priced.sort((a, b) => (a.price < b.price ? -1 : 1));
  const target = best?.type ?? `${prefix}${first}.${size}`;
  const meter = meterOf === null ? null : meterOf(target);
  return { target, ...priceCut(context, { subject, usage, meter }, percent) };
}
