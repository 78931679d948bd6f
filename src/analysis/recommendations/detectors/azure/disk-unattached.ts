import { addDays, type Day } from '../../../../kit/period.ts';
import type { Detector } from '../../detector.ts';
import { wholeOf } from '../../savings.ts';
import { usageOf } from '../../subject.ts';
import { armType } from './arm.ts';
import { deleteDiskScripts } from './disk-script.ts';

/** Days without a machine after which nobody seems to come back for it. */
const idleDays = 7;
/** States in which a disk is in use though no machine holds it: somebody reads or writes it through a shared access
 *  signature, such as disaster recovery. */
const busy = /^(activesas|activeupload|readytoupload)/;

/** A managed disk is billed by its size, whether or not a machine holds it. Catalogue 50. */
export const diskUnattached: Detector = {
  type: 'azure_disk_unattached',
  summary: 'Unattached managed disk',
  provider: 'azure',
  about: 'resource',
  detect(subject, { window }) {
    const { state, stateSince, attachedTo } = subject.metadata;
    const isUnattached = state === 'unattached' || (attachedTo === null && !busy.test(state ?? ''));
    const since = (stateSince ?? subject.firstSeen).slice(0, 10) as Day;
    const usage = usageOf(subject);
    if (armType(subject.nativeId) !== 'microsoft.compute/disks' || !isUnattached) return null;
    if (usage.length === 0 || since > addDays(window.end, -idleDays)) return null;
    return {
      title: `Delete the unattached disk ${subject.name}`,
      description:
        'This managed disk is not attached to a machine but is still billed for its full size. If you may need ' +
        'its data, take a snapshot first: a snapshot is billed for the data that it holds, on standard storage.',
      savings: wholeOf(usage, window),
      // Without the day of its state it may have been let go of yesterday.
      confidence: stateSince === undefined ? 'medium' : 'high',
      // The snapshot has a cost of its own.
      method: 'upper_bound',
      evidence: { state: state ?? 'unattached', unattached_since: stateSince ?? null },
      scripts: () => deleteDiskScripts(subject, 'Take a snapshot, then delete the disk'),
    };
  },
};
