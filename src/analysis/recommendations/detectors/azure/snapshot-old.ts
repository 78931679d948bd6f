import { addDays } from '../../../../kit/period.ts';
import type { Detector } from '../../detector.ts';
import { wholeOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { usageOf } from '../../subject.ts';
import { armType } from './arm.ts';

/** Days after which a snapshot of a disk that is gone, and of one that nobody knows about, counts as old. */
const orphanDays = 30;
const oldDays = 365;

/** Snapshots outlive what they were for. What an incremental one alone holds may be less than it is billed for in a chain, so
 *  its cost is the most that can be saved. Catalogue 63. */
export const snapshotOld: Detector = {
  type: 'azure_snapshot_old',
  summary: 'Snapshot that is old or whose disk no longer exists',
  provider: 'azure',
  about: 'resource',
  detect(subject, { window }) {
    if (armType(subject.nativeId) !== 'microsoft.compute/snapshots') return null;
    const { sourceExists, createdAt } = subject.metadata;
    const since = (createdAt ?? subject.firstSeen).slice(0, 10);
    const isOld = since <= addDays(window.end, sourceExists === false ? -orphanDays : -oldDays);
    const usage = usageOf(subject);
    if (sourceExists === true || !isOld || usage.length === 0) return null;
    return {
      title: `Delete the old snapshot ${subject.name}`,
      description:
        (sourceExists === false
          ? 'The disk of this snapshot no longer exists. '
          : 'This snapshot has been billed for more than a year. Check whether its disk still exists. ') +
        'Ask the owner whether the data must be kept; a deleted snapshot cannot be recovered.',
      savings: wholeOf(usage, window),
      confidence: sourceExists === false ? 'medium' : 'low',
      method: 'upper_bound',
      evidence: { since, source_exists: sourceExists ?? null },
      scripts: () => [
        {
          kind: 'azure_cli',
          title: 'Delete the snapshot',
          script: sh`az snapshot delete --ids=${subject.nativeId}`,
          reversible: false,
        },
      ],
    };
  },
};
