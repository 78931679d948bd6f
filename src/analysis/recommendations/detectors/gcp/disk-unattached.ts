import { addDays, type Day } from '../../../../kit/period.ts';
import type { Detector } from '../../detector.ts';
import { wholeOf } from '../../savings.ts';
import { usageOf } from '../../subject.ts';
import { deleteDiskScripts } from './disk-script.ts';
import { isCompute } from './full-name.ts';

/** Days without a machine after which nobody seems to come back for it. */
const idleDays = 7;

/** A disk is billed by its size, whether or not a machine uses it. Catalogue 71. */
export const diskUnattached: Detector = {
  type: 'gcp_disk_unattached',
  summary: 'Unattached disk',
  provider: 'gcp',
  about: 'resource',
  detect(subject, { window }) {
    const { attachedTo, stateSince } = subject.metadata;
    if (!isCompute(subject.nativeId, 'disks') || attachedTo !== null) return null;
    const since = (stateSince ?? subject.firstSeen).slice(0, 10) as Day;
    const usage = usageOf(subject);
    if (usage.length === 0 || since > addDays(window.end, -idleDays)) return null;
    return {
      title: `Delete the unattached disk ${subject.name}`,
      description:
        'This disk is not attached to a machine but is still billed for its full size. If you may need its data, ' +
        'take a snapshot first: a snapshot is billed for the data that it holds, and costs less per GiB.',
      savings: wholeOf(usage, window),
      // Without the day of its state it may have been let go of yesterday.
      confidence: stateSince === undefined ? 'medium' : 'high',
      // The snapshot has a cost of its own.
      method: 'upper_bound',
      evidence: { attached_to: null, unattached_since: stateSince ?? null },
      scripts: () => deleteDiskScripts(subject, 'Take a snapshot, then delete the disk'),
    };
  },
};
