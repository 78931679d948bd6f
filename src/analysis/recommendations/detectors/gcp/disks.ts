import { detectorsOf, irreversible, reversible } from '../detector.ts';
import { nonProductionTag } from '../nonproduction.ts';
import { repriced } from '../repriced.ts';
import { sh } from '../script.ts';
import { isOlder, onDemandOf, shortId, usageOf, wholeOf, type Subject } from '../subject.ts';
import { isCompute, nameBeside, placeOption } from './names.ts';

/** Saving of a balanced disk compared with an SSD, in percent, rounded down: 0.10 instead of 0.17 USD per GiB (Google's disk
 *  pricing, Iowa). */
const balancedSaving = 40;

export const gcpDisks = detectorsOf('gcp', [
  {
    type: 'gcp_disk_unattached',
    summary: 'Unattached disk',
    title: ({ name }) => `Delete the unattached disk ${name}`,
    description:
      'This disk is not attached to a VM but is still billed for its full size. If you may need its data, ' +
      'take a snapshot first: a snapshot is billed for the data that it holds, and costs less per GiB.',
    confidence: 'high',
    // The snapshot itself costs money.
    method: 'upper_bound',
    find(subject, { window }) {
      const { attachedTo, stateSince } = subject.metadata;
      if (!isCompute(subject.nativeId, 'disks') || attachedTo !== null) return null;
      if (!isOlder(stateSince ?? subject.firstSeen, 7, window)) return null;
      return {
        savings: wholeOf(usageOf(subject), window),
        // Without the start of its state, it may have been detached yesterday.
        confidence: stateSince === undefined ? 'medium' : 'high',
        evidence: { attached_to: null, unattached_since: stateSince ?? null },
      };
    },
    script: reversible('Take a snapshot, then delete the disk', (subject) => deletion(subject)),
  },
  {
    // Google's state `TERMINATED` means stopped.
    type: 'gcp_stopped_vm_disks',
    summary: 'Disk of a VM that has been stopped for a month',
    title: ({ name }) => `Delete the disk ${name} of a stopped VM`,
    description: (_, { attached_to }) =>
      `Its VM, ${shortId(String(attached_to))}, has been stopped for more than 30 days, but the disk is still ` +
      'billed. A snapshot keeps the data and costs less.',
    confidence: 'medium',
    // The snapshot itself costs money.
    method: 'upper_bound',
    find(subject, { window }) {
      const { attachedTo, attachedToState, attachedToStateSince: since } = subject.metadata;
      if (!isCompute(subject.nativeId, 'disks') || !attachedTo) return null;
      if (attachedToState !== 'terminated' && attachedToState !== 'stopped') return null;
      if (since === undefined || !isOlder(since, 30, window)) return null;
      return {
        savings: wholeOf(usageOf(subject), window),
        evidence: { attached_to: attachedTo, attached_to_state: attachedToState, stopped_since: since.slice(0, 10) },
      };
    },
    script: reversible('Take a snapshot, detach the disk from its VM, then delete it', (subject, disk) => {
      const { nativeId, subAccount: project } = subject;
      const machine = subject.metadata.attachedTo ?? '';
      const zone = placeOption(machine);
      if (zone === null) return null;
      const scope = nativeId.includes('/regions/') ? ' --disk-scope=regional' : '';
      const detach = sh`gcloud compute instances detach-disk ${shortId(machine)} --project=${project}`;
      return deletion(subject, `${detach} ${zone} ${sh`--disk=${disk}`}${scope}`);
    }),
  },
  {
    // Snapshots are incremental: a later one takes over the data it still needs, so the cost is an upper bound.
    type: 'gcp_snapshot_old',
    summary: 'Snapshot older than a year',
    title: ({ name }) => `Delete the old snapshot ${name}`,
    description: (_, { source_exists }) =>
      'This snapshot is more than a year old. ' +
      (source_exists === false ? 'Its disk no longer exists. ' : 'Check whether its disk still exists. ') +
      'Ask the owner whether the data must be kept; a deleted snapshot cannot be recovered.',
    confidence: 'low',
    method: 'upper_bound',
    find(subject, { window }) {
      const { sourceExists, createdAt } = subject.metadata;
      const since = (createdAt ?? subject.firstSeen).slice(0, 10);
      const isSnapshot = isCompute(subject.nativeId, 'snapshots');
      if (!isSnapshot || sourceExists === true || !isOlder(since, 365, window)) return null;
      return {
        savings: wholeOf(usageOf(subject), window),
        confidence: sourceExists === false ? 'medium' : 'low',
        evidence: { since, source_exists: sourceExists ?? null },
      };
    },
    script: irreversible(
      'Delete the snapshot',
      ({ subAccount }, name) => sh`gcloud compute snapshots delete ${name} --project=${subAccount} --quiet`,
    ),
  },
  {
    type: 'gcp_pd_ssd_balanced',
    summary: 'Non-production SSD disk that could be a balanced disk',
    title: ({ name }) => `Replace the SSD ${name} with a balanced disk`,
    description: (_, { environment }) =>
      `Its labels mark it as non-production (${environment}), and it is an SSD persistent disk. A ` +
      'balanced disk is also an SSD, with fewer IOPS, and costs about 40% less. The disk is copied through a ' +
      'snapshot.',
    confidence: 'medium',
    method: 'factor',
    find(subject, context) {
      const environment = nonProductionTag(subject);
      if (environment === null || !isCompute(subject.nativeId, 'disks')) return null;
      const { savings, method } = repriced(
        onDemandOf(subject, /^(Regional )?SSD backed PD Capacity/i),
        context,
        ({ meter }) => context.prices.priceOf(subject, meter.replace(/SSD backed PD/i, 'Balanced PD')),
        balancedSaving,
      );
      return { savings, method, evidence: { environment, percent: method === 'factor' ? balancedSaving : null } };
    },
    script: reversible(
      'Create a balanced copy of the disk; attach it in place of the old disk, then delete the old disk',
      (subject, disk) => {
        // No script for regional disks: the copy would need both of the disk's zones.
        const [, zone] = /\/zones\/([^/]+)\/disks\//.exec(subject.nativeId) ?? [];
        if (zone === undefined) return null;
        const copy = nameBeside(disk, 'balanced');
        return [
          `${snapshot(subject)} ${sh`--zone=${zone}`} &&`,
          sh`gcloud compute disks create ${copy} --project=${subject.subAccount} --zone=${zone} --source-snapshot=${nameBeside(disk, 'costkeep')} --type=pd-balanced`,
        ].join('\n');
      },
    ),
  },
]);

/** Takes a snapshot of a disk, runs commands that detach it and deletes it. Null if the id does not contain its location. */
function deletion(subject: Subject, ...between: string[]): string | null {
  const place = placeOption(subject.nativeId);
  if (place === null) return null;
  const { nativeId, subAccount } = subject;
  return [
    `${snapshot(subject)} ${place}`,
    ...between,
    `${sh`gcloud compute disks delete ${shortId(nativeId)} --project=${subAccount}`} ${place} --quiet`,
  ].join(' &&\n');
}

/** Returns the command, without the location, that takes a snapshot named after the disk. */
function snapshot({ nativeId, subAccount }: Subject): string {
  const disk = shortId(nativeId);
  return sh`gcloud compute disks snapshot ${disk} --project=${subAccount} --snapshot-names=${nameBeside(disk, 'costkeep')}`;
}
