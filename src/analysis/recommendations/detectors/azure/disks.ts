import { detectorsOf, irreversible, reversible } from '../detector.ts';
import { sh } from '../script.ts';
import { isOlder, onDemandOf, shareOf, shortId, usageOf, wholeOf, type Subject } from '../subject.ts';
import { armParts, armType } from './arm.ts';

export const azureDisks = detectorsOf('azure', [
  {
    type: 'azure_disk_unattached',
    summary: 'Unattached managed disk',
    title: ({ name }) => `Delete the unattached disk ${name}`,
    description:
      'This managed disk is not attached to a VM but is still billed for its full size. If you may need ' +
      'its data, take a snapshot first: a snapshot is billed for the data that it holds, on standard storage.',
    confidence: 'high',
    // The snapshot itself costs money.
    method: 'upper_bound',
    find(subject, { window }) {
      const { state, stateSince, attachedTo } = subject.metadata;
      // In these states it is used without a machine, through a shared access signature, for example by disaster recovery.
      const isInUse = /^(activesas|activeupload|readytoupload)/.test(state ?? '');
      const isUnattached = state === 'unattached' || (attachedTo === null && !isInUse);
      if (!isDisk(subject) || !isUnattached || !isOlder(stateSince ?? subject.firstSeen, 7, window)) return null;
      return {
        savings: wholeOf(usageOf(subject), window),
        // Without the start of its state, it may have been detached yesterday.
        confidence: stateSince === undefined ? 'medium' : 'high',
        evidence: { state: state ?? 'unattached', unattached_since: stateSince ?? null },
      };
    },
    script: reversible('Take a snapshot, then delete the disk', (subject) => deletion(subject)),
  },
  {
    type: 'azure_vm_deallocated_long',
    summary: 'Disk of a VM that has been deallocated for a month',
    title: ({ name }) => `Delete the disk ${name} of a deallocated VM`,
    description: (_, { attached_to }) =>
      `Its VM, ${shortId(String(attached_to))}, has been deallocated for more than 30 days, but the ` +
      'disk is still billed. A snapshot keeps the data and costs less. The OS disk can only be deleted with its ' +
      'VM.',
    confidence: 'medium',
    // The snapshot itself costs money.
    method: 'upper_bound',
    find(subject, { window }) {
      const { attachedTo, attachedToState, attachedToStateSince: since } = subject.metadata;
      if (!isDisk(subject) || !attachedTo || attachedToState !== 'deallocated') return null;
      if (since === undefined || !isOlder(since, 30, window)) return null;
      return {
        savings: wholeOf(usageOf(subject), window),
        evidence: {
          attached_to: attachedTo,
          attached_to_state: attachedToState,
          deallocated_since: since.slice(0, 10),
        },
      };
    },
    script: reversible('Take a snapshot, detach the data disk, then delete it', (subject, name) =>
      deletion(subject, sh`az vm disk detach --ids=${subject.metadata.attachedTo ?? ''} --name=${name}`),
    ),
  },
  {
    // An incremental snapshot can hold less data than it is billed for, so its cost is an upper bound.
    type: 'azure_snapshot_old',
    summary: 'Snapshot that is old or whose disk no longer exists',
    title: ({ name }) => `Delete the old snapshot ${name}`,
    description: (_, { source_exists }) =>
      (source_exists === false
        ? 'The disk of this snapshot no longer exists. '
        : 'This snapshot has been billed for more than a year. Check whether its disk still exists. ') +
      'Ask the owner whether the data must be kept; a deleted snapshot cannot be recovered.',
    confidence: 'low',
    method: 'upper_bound',
    find(subject, { window }) {
      const { sourceExists, createdAt } = subject.metadata;
      const since = (createdAt ?? subject.firstSeen).slice(0, 10);
      const isOld = isOlder(since, sourceExists === false ? 30 : 365, window);
      if (!isSnapshot(subject) || sourceExists === true || !isOld) return null;
      return {
        savings: wholeOf(usageOf(subject), window),
        confidence: sourceExists === false ? 'medium' : 'low',
        evidence: { since, source_exists: sourceExists ?? null },
      };
    },
    script: irreversible('Delete the snapshot', ({ nativeId }) => sh`az snapshot delete --ids=${nativeId}`),
  },
  {
    // Full snapshots of premium disks are on premium storage by default, which does not make them faster to read.
    type: 'azure_snapshot_premium',
    summary: 'Snapshot on premium storage',
    title: ({ name }) => `Move the snapshot ${name} to standard storage`,
    description:
      'This snapshot is on premium storage, which costs more than twice as much per GiB. After the move, disks ' +
      'can be created from it as before.',
    confidence: 'medium',
    method: 'factor',
    find(subject, { window }) {
      const { sku } = subject.metadata;
      if (!isSnapshot(subject) || (sku !== undefined && sku.toLowerCase() !== 'premium_lrs')) return null;
      const all = onDemandOf(subject, /snapshots/i);
      const usage = sku === undefined ? all.filter(({ description }) => /premium ssd/i.test(description)) : all;
      // 0.05 instead of 0.132 USD per GiB (Azure's managed disks price list, locally redundant), rounded down.
      const percent = 60;
      return {
        savings: shareOf(usage, percent, window),
        evidence: { sku: sku ?? null, meter: usage[0]?.description ?? '', percent },
      };
    },
    script: reversible(
      'Move the snapshot to standard storage',
      ({ nativeId }) => sh`az snapshot update --ids=${nativeId} --sku=Standard_LRS`,
    ),
  },
]);

function isDisk({ nativeId }: Subject): boolean {
  return armType(nativeId) === 'microsoft.compute/disks';
}

function isSnapshot({ nativeId }: Subject): boolean {
  return armType(nativeId) === 'microsoft.compute/snapshots';
}

/** Takes an incremental snapshot of a disk, on standard storage, runs other commands and deletes the disk. Null if the id is
 *  not an ARM path. */
function deletion({ nativeId, region }: Subject, ...between: string[]): string | null {
  const parts = armParts(nativeId);
  if (parts === null) return null;
  const name = `costkeep-${shortId(nativeId)}`.slice(0, 80);
  const snapshot = [
    sh`az snapshot create --subscription=${parts.subscription} --resource-group=${parts.group}`,
    sh`--name=${name} --location=${region} --source=${nativeId} --incremental=true`,
  ].join(' ');
  return [snapshot, ...between, sh`az disk delete --ids=${nativeId} --yes`].join(' &&\n');
}
