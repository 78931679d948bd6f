import type { Usage } from '../../subject.ts';

/** An instance type as a meter names it. */
export interface InstanceType {
  /** What stands before the type: `BoxUsage:` or `InstanceUsage:db.`. */
  readonly prefix: string;
  /** `m4` */
  readonly family: string;
  /** `xlarge` */
  readonly size: string;
}

/** The instance type of a usage, such as `m4` `xlarge` of `BoxUsage:m4.xlarge`; null where its meter names none. */
export function instanceTypeOf(usage: Usage): InstanceType | null {
  const match = /^((?:BoxUsage|InstanceUsage|Multi-AZUsage):(?:db\.)?)([a-z]+\d[a-z0-9-]*)\.([a-z0-9]+)$/.exec(usage.meter);
  return match ? { prefix: match[1] ?? '', family: match[2] ?? '', size: match[3] ?? '' } : null;
}

/** Families that AWS calls previous generation, and where each goes: same sizes, same shape, same architecture.
 *  Source: aws.amazon.com/ec2/previous-generation and, for RDS, the classes of its user guide. */
const current: Readonly<Record<string, string>> = {
  m3: 'm5',
  m4: 'm6i',
  c3: 'c5',
  c4: 'c6i',
  r3: 'r5',
  r4: 'r6i',
  t1: 't3',
  t2: 't3',
  m1: 'm5',
  m2: 'r5',
  c1: 'c5',
  i2: 'i3',
};

/** Families that a Graviton family replaces, size by size. */
const graviton: Readonly<Record<string, string>> = {
  m5: 'm6g',
  m5a: 'm6g',
  m6i: 'm7g',
  m6a: 'm7g',
  m7i: 'm7g',
  m7a: 'm7g',
  c5: 'c6g',
  c5a: 'c6g',
  c6i: 'c7g',
  c6a: 'c7g',
  c7i: 'c7g',
  c7a: 'c7g',
  r5: 'r6g',
  r5a: 'r6g',
  r6i: 'r7g',
  r6a: 'r7g',
  r7i: 'r7g',
  r7a: 'r7g',
  t3: 't4g',
  t3a: 't4g',
};

/** Intel families that an AMD family replaces, size by size. */
const amd: Readonly<Record<string, string>> = {
  m5: 'm5a',
  c5: 'c5a',
  r5: 'r5a',
  t3: 't3a',
  m6i: 'm6a',
  c6i: 'c6a',
  r6i: 'r6a',
  m7i: 'm7a',
  c7i: 'c7a',
  r7i: 'r7a',
};

/** Sizes that Graviton families have. */
const gravitonSizes = /^(nano|micro|small|medium|large|xlarge|2xlarge|4xlarge|8xlarge|12xlarge|16xlarge)$/;

/** The current family of a previous one; null for a current one. */
export function currentFamily({ family }: InstanceType): string | null {
  return current[family] ?? null;
}

/** The Graviton family that can take its place; null where there is none in that size. */
export function gravitonFamily({ family, size }: InstanceType): string | null {
  return gravitonSizes.test(size) ? (graviton[family] ?? null) : null;
}

/** The AMD family that can take the place of an Intel one. */
export function amdFamily({ family, size }: InstanceType): string | null {
  return size === 'metal' ? null : (amd[family] ?? null);
}

/** Whether a family is AMD's. */
export function isAmd({ family }: InstanceType): boolean {
  return /^[a-z]+\da/.test(family);
}
