import { addDays } from '../../../../kit/period.ts';
import type { Detector } from '../../detector.ts';
import { wholeOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { shortId, usageOf } from '../../subject.ts';
import { isCompute } from './full-name.ts';

/** Days after which a snapshot counts as old. */
const oldDays = 365;

/** Snapshots outlive what they were for. They are incremental: what a later one still needs passes on to that one, so its
 *  cost is the most that can be saved. Catalogue 73. */
export const snapshotOld: Detector = {
  type: 'gcp_snapshot_old',
  summary: 'Snapshot older than a year',
  provider: 'gcp',
  about: 'resource',
  detect(subject, { window }) {
    const { sourceExists, createdAt } = subject.metadata;
    const since = (createdAt ?? subject.firstSeen).slice(0, 10);
    const usage = usageOf(subject);
    if (!isCompute(subject.nativeId, 'snapshots') || sourceExists === true || usage.length === 0) return null;
    if (since > addDays(window.end, -oldDays)) return null;
    return {
      title: `Delete the old snapshot ${subject.name}`,
      description:
        'This snapshot is more than a year old. ' +
        (sourceExists === false ? 'Its disk no longer exists. ' : 'Check whether its disk still exists. ') +
        'Ask the owner whether the data must be kept; a deleted snapshot cannot be recovered.',
      savings: wholeOf(usage, window),
      confidence: sourceExists === false ? 'medium' : 'low',
      method: 'upper_bound',
      evidence: { since, source_exists: sourceExists ?? null },
      scripts: () => [
        {
          kind: 'gcloud',
          title: 'Delete the snapshot',
          script: sh`gcloud compute snapshots delete ${shortId(subject.nativeId)} --project=${subject.subAccount} --quiet`,
          reversible: false,
        },
      ],
    };
  },
};
