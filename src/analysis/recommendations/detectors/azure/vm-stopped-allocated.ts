import { addDays } from '../../../../kit/period.ts';
import type { Detector } from '../../detector.ts';
import { wholeOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { machineHoursOf } from './vm-hours.ts';

/** Days after which a machine that was stopped counts as left like that. */
const idleDays = 7;

/** A machine that was shut down from within keeps its place, and is billed as if it ran, until it is deallocated.
 *  Catalogue 51. */
export const vmStoppedAllocated: Detector = {
  type: 'azure_vm_stopped_allocated',
  summary: 'Virtual machine that is stopped but not deallocated',
  provider: 'azure',
  about: 'resource',
  endsUsage: true,
  detect(subject, { window }) {
    const { state, stateSince } = subject.metadata;
    if (state !== 'stopped') return null;
    if (stateSince !== undefined && stateSince.slice(0, 10) > addDays(window.end, -idleDays)) return null;
    const usage = machineHoursOf(subject);
    if (usage.length === 0) return null;
    return {
      title: `Deallocate the stopped machine ${subject.name}`,
      description:
        'The machine is stopped but still allocated, so its hours are billed as if it were running. Deallocating ' +
        'it ends this charge and keeps its disks; a dynamic public IP address may change.',
      savings: wholeOf(usage, window),
      confidence: 'high',
      method: 'observed',
      evidence: { state, state_since: stateSince ?? null },
      scripts: () => [
        {
          kind: 'azure_cli',
          title: 'Deallocate the machine',
          script: sh`az vm deallocate --ids=${subject.nativeId}`,
          reversible: true,
        },
      ],
    };
  },
};
