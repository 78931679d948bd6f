import { onDemandOf, shortId, type Subject, type Usage } from '../../subject.ts';

/** An EC2 instance as it is billed on demand. */
export interface Instance {
  /** `i-0ab…` */
  readonly id: string;
  /** `m5.large` */
  readonly type: string;
  readonly usage: readonly Usage[];
  /** Neither Windows nor a licensed Linux: AWS has one usage type for all of them, and only the description tells. */
  readonly isPlainLinux: boolean;
  /** Windows, a licensed Linux or a database in the price. */
  readonly isLicensed: boolean;
}

/** The instance that a subject is; null for anything else, for what runs on commitments or spot alone, and for one that
 *  changed its type in the window, which must settle first. */
export function instanceOf(subject: Subject): Instance | null {
  const id = shortId(subject.nativeId);
  const usage = onDemandOf(subject, /^BoxUsage:/);
  const types = new Set(usage.map(({ meter }) => meter.slice('BoxUsage:'.length)));
  const [type] = types;
  if (!id.startsWith('i-') || type === undefined || types.size > 1) return null;
  const texts = usage.map(({ description }) => description).join(' ');
  const isLicensed =
    subject.metadata.platform === 'windows' || /\b(Windows|RHEL|Red Hat|SUSE|SQL|Ubuntu Pro)\b/i.test(texts);
  return { id, type, usage, isLicensed, isPlainLinux: !isLicensed && /Linux/.test(texts) };
}

/** The meter of a type on demand. */
export function boxUsage(type: string): string {
  return `BoxUsage:${type}`;
}

/** The Auto Scaling group, EKS node group or Karpenter pool that made an instance; null: none is known. */
export function scalingGroupOf(subject: Subject): string | null {
  return subject.metadata.scalingGroup ?? subject.tags['aws:autoscaling:groupName'] ?? null;
}
