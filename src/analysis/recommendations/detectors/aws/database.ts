import { onDemandOf, shortId, type Subject, type Usage } from '../../subject.ts';

/** A database instance of RDS as it is billed on demand. */
export interface Database {
  readonly id: string;
  /** `db.m5.large` */
  readonly type: string;
  readonly usage: readonly Usage[];
  /** What the usage type says before the class: `InstanceUsage` or `Multi-AZUsage`. */
  readonly deployment: string;
  /** MySQL, MariaDB or PostgreSQL outside Aurora: AWS has one usage type for all engines, but these cost the same. */
  readonly isOpenSource: boolean;
  readonly isAurora: boolean;
}

/** The database instance that a subject is; null for anything else, and for one that changed its class in the window. */
export function databaseOf(subject: Subject): Database | null {
  const usage = onDemandOf(subject, /^(?:InstanceUsage|Multi-AZUsage):db\./);
  const meters = new Set(usage.map(({ meter }) => meter));
  const [meter] = meters;
  if (meter === undefined || meters.size > 1 || !/:db:/.test(subject.nativeId)) return null;
  const [deployment = '', type = ''] = meter.split(':');
  return {
    id: shortId(subject.nativeId),
    type,
    usage,
    deployment,
    isOpenSource: isOpenSource(subject),
    isAurora: isAurora(subject),
  };
}

/** Whether it runs MySQL, MariaDB or PostgreSQL outside Aurora, as the listing or its charges say. */
export function isOpenSource(subject: Subject): boolean {
  return !isAurora(subject) && /mysql|mariadb|postgres/i.test(engineOf(subject));
}

/** Whether it runs Aurora, as the listing or its charges say. */
export function isAurora(subject: Subject): boolean {
  return /aurora/i.test(engineOf(subject));
}

function engineOf({ metadata, usage }: Subject): string {
  return [metadata.engine ?? '', ...usage.map(({ meter, description }) => `${meter} ${description}`)].join(' ');
}
