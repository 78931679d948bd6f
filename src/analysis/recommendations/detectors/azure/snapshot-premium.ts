import type { Detector } from '../../detector.ts';
import { shareOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { onDemandOf } from '../../subject.ts';
import { armType } from './arm.ts';

/** What standard storage costs less than premium for full snapshots, in percent: 0.05 instead of 0.132 USD a GiB (Azure's
 *  managed disks price list, locally redundant), rounded down. */
const standardSaving = 60;

/** Full snapshots of premium disks are kept on premium storage unless told otherwise, where nothing reads them faster for it.
 *  Catalogue 62. */
export const snapshotPremium: Detector = {
  type: 'azure_snapshot_premium',
  summary: 'Snapshot on premium storage',
  provider: 'azure',
  about: 'resource',
  detect(subject, { window }) {
    if (armType(subject.nativeId) !== 'microsoft.compute/snapshots') return null;
    const { sku } = subject.metadata;
    const all = onDemandOf(subject, /snapshots/i);
    const usage = sku === undefined ? all.filter(({ description }) => /premium ssd/i.test(description)) : all;
    if (usage.length === 0 || (sku !== undefined && sku.toLowerCase() !== 'premium_lrs')) return null;
    return {
      title: `Move the snapshot ${subject.name} to standard storage`,
      description:
        'This snapshot is on premium storage, which costs more than twice as much per GiB. After the move, disks ' +
        'can be created from it as before.',
      savings: shareOf(usage, standardSaving, window),
      confidence: 'medium',
      method: 'factor',
      evidence: { sku: sku ?? null, meter: usage[0]?.description ?? '', percent: standardSaving },
      scripts: () => [
        {
          kind: 'azure_cli',
          title: 'Move the snapshot to standard storage',
          script: sh`az snapshot update --ids=${subject.nativeId} --sku=Standard_LRS`,
          reversible: true,
        },
      ],
    };
  },
};
