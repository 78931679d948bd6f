import { addDays } from '../../../../kit/period.ts';
import type { Detector } from '../../detector.ts';
import { wholeOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { shortId, usageOf } from '../../subject.ts';
import { armType } from './arm.ts';
import { deleteDiskScripts } from './disk-script.ts';

/** Days after which a machine that is off counts as forgotten. */
const forgottenDays = 30;

/** A deallocated machine costs nothing, but its disks do. Catalogue 52. */
export const vmDeallocatedLong: Detector = {
  type: 'azure_vm_deallocated_long',
  summary: 'Disk of a machine that has been deallocated for a month',
  provider: 'azure',
  about: 'resource',
  detect(subject, { window }) {
    const { attachedTo, attachedToState, attachedToStateSince } = subject.metadata;
    if (armType(subject.nativeId) !== 'microsoft.compute/disks' || !attachedTo) return null;
    if (attachedToState !== 'deallocated' || attachedToStateSince === undefined) return null;
    const since = attachedToStateSince.slice(0, 10);
    const usage = usageOf(subject);
    if (usage.length === 0 || since > addDays(window.end, -forgottenDays)) return null;
    const detach = () => sh`az vm disk detach --ids=${attachedTo} --name=${shortId(subject.nativeId)}`;
    return {
      title: `Delete the disk ${subject.name} of a deallocated machine`,
      description:
        `Its machine, ${shortId(attachedTo)}, has been deallocated for more than ${forgottenDays} days, but the ` +
        'disk is still billed. A snapshot keeps the data and costs less. The OS disk can only be deleted with its ' +
        'machine.',
      savings: wholeOf(usage, window),
      confidence: 'medium',
      // The snapshot has a cost of its own.
      method: 'upper_bound',
      evidence: { attached_to: attachedTo, attached_to_state: attachedToState, deallocated_since: since },
      scripts: () => deleteDiskScripts(subject, 'Take a snapshot, detach the data disk, then delete it', [detach()]),
    };
  },
};
