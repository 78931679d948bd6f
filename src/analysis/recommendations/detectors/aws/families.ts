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
}

const peers = (families: readonly string[], sizes: readonly string[]): Peers => ({ families, sizes });

/** Families that AWS calls previous generation, and t2, with the current ones of the same architecture. */
export const currentOf: ReadonlyMap<string, Peers> = new Map([
  ['m3', peers(['m6i', 'm5'], common)],
  ['m4', peers(['m6i', 'm5'], common)],
  ['c3', peers(['c6i', 'c5'], common)],
  ['c4', peers(['c6i', 'c5'], ['large', 'xlarge', '2xlarge', '4xlarge'])],
  ['r3', peers(['r6i', 'r5'], common)],
  ['r4', peers(['r6i', 'r5'], common)],
  ['t2', peers(['t3'], burstable)],
]);

/** Families with AWS's own arm64 processors (Graviton) by those with Intel's. */
export const gravitonOfIntel: ReadonlyMap<string, Peers> = new Map([
  ['m5', peers(['m6g', 'm7g'], common)],
  ['m6i', peers(['m7g', 'm6g'], common)],
  ['m7i', peers(['m8g', 'm7g'], large)],
  ['c5', peers(['c6g', 'c7g'], ['large', 'xlarge', '2xlarge', '4xlarge', '12xlarge'])],
  ['c6i', peers(['c7g', 'c6g'], common)],
  ['c7i', peers(['c8g', 'c7g'], large)],
  ['r5', peers(['r6g', 'r7g'], common)],
  ['r6i', peers(['r7g', 'r6g'], common)],
  ['r7i', peers(['r8g', 'r7g'], large)],
  ['t3', peers(['t4g'], burstable)],
]);

/** The same by those with AMD's. */
export const gravitonOfAmd: ReadonlyMap<string, Peers> = new Map([
  ['m5a', peers(['m6g', 'm7g'], common)],
  ['m6a', peers(['m7g', 'm6g'], common)],
  ['c5a', peers(['c6g', 'c7g'], common)],
  ['c6a', peers(['c7g', 'c6g'], common)],
  ['r5a', peers(['r6g', 'r7g'], common)],
  ['r6a', peers(['r7g', 'r6g'], common)],
  ['t3a', peers(['t4g'], burstable)],
]);

/** Families with AMD's processors by those with Intel's. From the seventh generation on AMD's cost more. */
export const amdOfIntel: ReadonlyMap<string, Peers> = new Map([
  ['m5', peers(['m5a'], large)],
  ['m6i', peers(['m6a'], [...large, '32xlarge'])],
  ['c5', peers(['c5a'], ['large', 'xlarge', '2xlarge', '4xlarge', '12xlarge', '24xlarge'])],
  ['c6i', peers(['c6a'], [...large, '32xlarge'])],
  ['r5', peers(['r5a'], large)],
  ['r6i', peers(['r6a'], [...large, '32xlarge'])],
  ['t3', peers(['t3a'], burstable)],
]);

/** Types that can stand for a type, the one to suggest first; empty: none.
 *  @param type `m4.xlarge`, or `db.m4.xlarge` of a database */
export function peersOf(type: string, map: ReadonlyMap<string, Peers>): string[] {
  const [, prefix = '', family = '', size = ''] = /^(db\.|cache\.)?([a-z0-9-]+)\.([a-z0-9]+)$/.exec(type) ?? [];
  const found = map.get(family);
  if (found === undefined || !found.sizes.includes(size)) return [];
  return found.families.map((target) => `${prefix}${target}.${size}`);
}
