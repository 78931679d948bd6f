import { addDays } from '../../../../kit/period.ts';
import type { Detector } from '../../detector.ts';
import { wholeOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { shortId, usageOf } from '../../subject.ts';
import { deleteDiskScripts } from './disk-script.ts';
import { isCompute, placeOption } from './full-name.ts';

/** Days after which a machine that is off counts as forgotten. */
const forgottenDays = 30;

/** A stopped machine costs nothing, but its disks do. Google calls the state `TERMINATED`; it can be started again.
 *  Catalogue 76. */
export const stoppedVmDisks: Detector = {
  type: 'gcp_stopped_vm_disks',
  summary: 'Disk of a machine that has been stopped for a month',
  provider: 'gcp',
  about: 'resource',
  detect(subject, { window }) {
    const { attachedTo, attachedToState, attachedToStateSince } = subject.metadata;
    if (!isCompute(subject.nativeId, 'disks') || !attachedTo || attachedToStateSince === undefined) return null;
    if (attachedToState !== 'terminated' && attachedToState !== 'stopped') return null;
    const since = attachedToStateSince.slice(0, 10);
    const usage = usageOf(subject);
    if (usage.length === 0 || since > addDays(window.end, -forgottenDays)) return null;
    const machine = shortId(attachedTo);
    return {
      title: `Delete the disk ${subject.name} of a stopped machine`,
      description:
        `Its machine, ${machine}, has been stopped for more than ${forgottenDays} days, but the disk is still ` +
        'billed. A snapshot keeps the data and costs less.',
      savings: wholeOf(usage, window),
      confidence: 'medium',
      // The snapshot has a cost of its own.
      method: 'upper_bound',
      evidence: { attached_to: attachedTo, attached_to_state: attachedToState, stopped_since: since },
      scripts: () => {
        const zone = placeOption(attachedTo);
        if (zone === null) return [];
        const scope = subject.nativeId.includes('/regions/') ? ' --disk-scope=regional' : '';
        const command = sh`gcloud compute instances detach-disk ${machine} --project=${subject.subAccount}`;
        return deleteDiskScripts(subject, 'Take a snapshot, detach the disk from its machine, then delete it', [
          `${command} ${zone} ${sh`--disk=${shortId(subject.nativeId)}`}${scope}`,
        ]);
      },
    };
  },
};
