import { tagKeyName } from '../../../../kit/tag-key.ts';
import { sumAmounts } from '../../../../kit/money.ts';
import { shortId, usageOf, type Subject, type Usage, type Window } from '../../subject.ts';
import { ageInDays } from './age.ts';

/** An EBS snapshot as it is billed. */
export interface Snapshot {
  readonly id: string;
  readonly usage: readonly Usage[];
  readonly ageDays: number;
}

/** The snapshot that a subject is; null for anything else. Archived ones have another usage type. */
export function snapshotOf(subject: Subject, window: Window): Snapshot | null {
  const usage = usageOf(subject, /^EBS:SnapshotUsage$/);
  const id = shortId(subject.nativeId);
  if (!id.startsWith('snap-') || isKept(subject) || sumAmounts(usage.map(({ cost }) => cost)) <= 0n) return null;
  return { id, usage, ageDays: ageInDays(subject.metadata.createdAt ?? subject.firstSeen, window) };
}

/** Whether AWS Backup or a lifecycle policy keeps it: they delete it in their time, and EC2 refuses to for the first. */
export function isKept({ tags }: Subject): boolean {
  return Object.keys(tags).some((key) => /^aws:(backup|dlm):/.test(tagKeyName(key)));
}

/** Whether its volume is known to be gone, and no machine image known to need it. */
export function isLeftOver({ metadata }: Subject): boolean {
  return metadata.sourceExists === false && metadata.imageIds?.length === 0;
}
