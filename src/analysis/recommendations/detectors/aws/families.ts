// Which families replace which. A target has the same vCPUs and memory at the same size, and a lower list price in
// us-east-1 (EC2 and RDS price pages, 2026); sizes that a target lacks have no peer.

const common = ['large', 'xlarge', '2xlarge', '4xlarge', '8xlarge', '12xlarge', '16xlarge'];
const large = [...common, '24xlarge'];
const burstable = ['nano', 'micro', 'small', 'medium', 'large', 'xlarge', '2xlarge'];

/** Replacements of a family. */
export interface Peers {
  /** The first is the one to suggest; the price of any tells what is saved. */
  readonly families: readonly string[];
  readonly sizes: readonly string[];
  /** What the first costs less by those lists, in percent, rounded down; for where the account pays no price for it. */
  readonly percent: number;
}

/** AWS's Cloud Intelligence Dashboards count so much for any move to the next generation, and to AMD's processors. */
const nextGeneration = 5;
const amd = 10;

const peers = (families: readonly string[], sizes: readonly string[], percent: number): Peers => ({
  families,
  sizes,
  percent,
});

/** Families that AWS calls previous generation, and t2, with the current ones of the same architecture. */
export const currentOf: ReadonlyMap<string, Peers> = new Map([
  ['m3', peers(['m6i', 'm5'], common, nextGeneration)],
  ['m4', peers(['m6i', 'm5'], common, nextGeneration)],
  ['c3', peers(['c6i', 'c5'], common, nextGeneration)],
  ['c4', peers(['c6i', 'c5'], ['large', 'xlarge', '2xlarge', '4xlarge'], nextGeneration)],
  ['r3', peers(['r6i', 'r5'], common, nextGeneration)],
  ['r4', peers(['r6i', 'r5'], common, nextGeneration)],
  ['t2', peers(['t3'], burstable, nextGeneration)],
]);

/** Families with AWS's own arm64 processors (Graviton) by those with Intel's. */
export const gravitonOfIntel: ReadonlyMap<string, Peers> = new Map([
  ['m5', peers(['m6g', 'm7g'], common, 19)],
  ['m6i', peers(['m7g', 'm6g'], common, 15)],
  ['m7i', peers(['m8g', 'm7g'], large, 10)],
  ['c5', peers(['c6g', 'c7g'], ['large', 'xlarge', '2xlarge', '4xlarge', '12xlarge'], 20)],
  ['c6i', peers(['c7g', 'c6g'], common, 14)],
  ['c7i', peers(['c8g', 'c7g'], large, 10)],
  ['r5', peers(['r6g', 'r7g'], common, 20)],
  ['r6i', peers(['r7g', 'r6g'], common, 15)],
  ['r7i', peers(['r8g', 'r7g'], large, 10)],
  ['t3', peers(['t4g'], burstable, 19)],
]);

/** The same by those with AMD's. */
export const gravitonOfAmd: ReadonlyMap<string, Peers> = new Map([
  ['m5a', peers(['m6g', 'm7g'], common, 10)],
  ['m6a', peers(['m7g', 'm6g'], common, 5)],
  ['c5a', peers(['c6g', 'c7g'], common, 11)],
  ['c6a', peers(['c7g', 'c6g'], common, 5)],
  ['r5a', peers(['r6g', 'r7g'], common, 10)],
  ['r6a', peers(['r7g', 'r6g'], common, 5)],
  ['t3a', peers(['t4g'], burstable, 10)],
]);

/** Database classes with AWS's own arm64 processors by those with Intel's. At RDS the seventh generation costs what Intel's
 *  sixth does: the sixth comes first. */
export const gravitonDatabaseOf: ReadonlyMap<string, Peers> = new Map([
  ['m5', peers(['m6g', 'm7g'], common, 10)],
  ['m6i', peers(['m6g', 'm7g'], common, 10)],
  ['r5', peers(['r6g', 'r7g'], common, 10)],
  ['r6i', peers(['r6g', 'r7g'], common, 10)],
  ['t3', peers(['t4g'], burstable, 4)],
]);

/** Database classes of a previous generation. Those of r3, r4 and t2 cost what their heirs cost. */
export const currentDatabaseOf: ReadonlyMap<string, Peers> = new Map([
  ['m3', peers(['m6i', 'm5'], common, 7)],
  ['m4', peers(['m6i', 'm5'], common, 2)],
  ['r3', peers(['r6i', 'r5'], common, 0)],
  ['r4', peers(['r6i', 'r5'], common, 0)],
  ['t2', peers(['t3'], burstable, 0)],
]);

/** Families with AMD's processors by those with Intel's. From the seventh generation on AMD's cost more. */
export const amdOfIntel: ReadonlyMap<string, Peers> = new Map([
  ['m5', peers(['m5a'], large, amd)],
  ['m6i', peers(['m6a'], [...large, '32xlarge'], amd)],
  ['c5', peers(['c5a'], ['large', 'xlarge', '2xlarge', '4xlarge', '12xlarge', '24xlarge'], amd)],
  ['c6i', peers(['c6a'], [...large, '32xlarge'], amd)],
  ['r5', peers(['r5a'], large, amd)],
  ['r6i', peers(['r6a'], [...large, '32xlarge'], amd)],
  ['t3', peers(['t3a'], burstable, amd)],
]);

/** Types that can stand for a type. */
export interface Targets {
  /** The one to suggest first; empty: none. */
  readonly types: readonly string[];
  /** See `Peers`. */
  readonly percent: number;
}

/** Types that can stand for a type.
 *  @param type `m4.xlarge`, or `db.m4.xlarge` of a database */
export function targetsOf(type: string, map: ReadonlyMap<string, Peers>): Targets {
  const [, prefix = '', family = '', size = ''] = /^(db\.|cache\.)?([a-z0-9-]+)\.([a-z0-9]+)$/.exec(type) ?? [];
  const found = map.get(family);
  if (found === undefined || !found.sizes.includes(size)) return { types: [], percent: 0 };
  return { types: found.families.map((target) => `${prefix}${target}.${size}`), percent: found.percent };
}
