import { sumAmounts, type Amount } from '../../../../kit/money.ts';
import { detectorsOf, reversible, type Context, type Found } from '../detector.ts';
import { amountOf, larger, numberOf, per, percentOf, perMonth, smaller, times } from '../figures.ts';
import { sh, type Script } from '../script.ts';
import {
  costOf,
  isOlder,
  monthlyCost,
  onDemandOf,
  shortId,
  spread,
  unitsOf,
  usageOf,
  wholeOf,
  type Subject,
  type Usage,
} from '../subject.ts';

const volume = /^EBS:Volume/;

/** Included in the price of a gp3 volume (EBS price page). */
const included = { iops: amountOf('3000'), throughputMibps: amountOf('125') } as const;
/** The maximum of a gp2 volume, and of the gp3 volumes considered here. */
const mostIops = amountOf('16000');

export const awsEbs = detectorsOf('aws', [
  {
    type: 'aws_ebs_unattached',
    summary: 'Unattached EBS volume',
    title: ({ name }) => `Delete the unattached volume ${name}`,
    description:
      'This EBS volume is not attached to an instance but is still billed in full. If you may need its data, ' +
      'take a snapshot first; a snapshot costs about half as much per GiB.',
    confidence: 'high',
    // The snapshot itself costs money.
    method: 'upper_bound',
    find(subject, { window }) {
      const { state, stateSince, attachedTo } = subject.metadata;
      const isUnattached = state === 'available' || (state === undefined && attachedTo === null);
      if (!isUnattached || !isOlder(stateSince ?? subject.firstSeen, 7, window)) return null;
      return {
        savings: wholeOf(usageOf(subject, volume), window),
        // Without the start of its state, it may have been detached yesterday.
        confidence: stateSince === undefined ? 'medium' : 'high',
        evidence: { state: state ?? 'available', unattached_since: stateSince ?? null },
      };
    },
    script: reversible('Take a snapshot, wait for it, then delete the volume', ({ region }, id) =>
      [...snapshotOf(region, id), deletionOf(region, id)].join('\n'),
    ),
  },
  {
    type: 'aws_ec2_stopped_storage',
    summary: 'Volume of an instance that has been stopped for 30 days',
    title: ({ name }) => `Replace the volume ${name} of a stopped instance with a snapshot`,
    description:
      'The instance of this volume has been stopped for more than 30 days, but the volume is still billed. Take ' +
      'a snapshot, detach the volume and delete it; a snapshot costs at most about half as much per GiB.',
    confidence: 'medium',
    method: 'upper_bound',
    find(subject, { window }) {
      const { attachedTo, attachedToState, attachedToStateSince: since } = subject.metadata;
      if (attachedToState !== 'stopped' || !attachedTo || since === undefined || !isOlder(since, 30, window))
        return null;
      return {
        savings: wholeOf(usageOf(subject, volume), window),
        evidence: { attached_to: attachedTo, stopped_since: since },
      };
    },
    script: reversible('Take a snapshot, wait for it, then detach and delete the volume', ({ region }, id) =>
      [
        ...snapshotOf(region, id),
        sh`aws ec2 detach-volume --region=${region} --volume-id=${id} &&`,
        sh`aws ec2 wait volume-available --region=${region} --volume-ids=${id} &&`,
        deletionOf(region, id),
      ].join('\n'),
    ),
  },
  {
    // gp2 provides performance by size; gp3 bills it separately, and a GiB costs a fifth less.
    type: 'aws_ebs_gp2_gp3',
    summary: 'gp2 EBS volume that would cost less as gp3',
    title: ({ name }) => `Change the volume ${name} from gp2 to gp3`,
    description:
      'A gp3 volume with the same performance as gp2 at this size costs less. The change needs no downtime. It ' +
      'saves more if the data needs at most 3000 IOPS and 125 MiB/s.',
    confidence: 'medium',
    method: 'factor',
    find(subject, context) {
      const storage = onDemandOf(subject, /^EBS:VolumeUsage\.gp2$/);
      const sizeGib = provisioned(storage, subject.metadata.sizeGib);
      if (sizeGib <= 0n) return null;
      // gp2 has 3 IOPS per GiB up to 16000, and 250 MiB/s above 150 GiB.
      const iops = smaller(larger(times(sizeGib, amountOf('3')), included.iops), mostIops);
      const throughputMibps = sizeGib > amountOf('150') ? amountOf('250') : included.throughputMibps;
      // 0.08 instead of 0.10 per GiB in us-east-1 (EBS price page).
      const found = asGp3(subject, context, { sizeGib, iops, throughputMibps }, { storage, percent: 80 });
      return { ...found, evidence: { ...found.evidence, gp3_iops: numberOf(iops) } };
    },
  },
  {
    // io1 is as durable as gp3, with the same performance up to 16000 IOPS; io2 is more durable.
    type: 'aws_ebs_io1_gp3',
    summary: 'io1 EBS volume that would cost less as gp3',
    title: ({ name }) => `Change the volume ${name} from io1 to gp3`,
    description:
      'A gp3 volume with the same IOPS and throughput costs less and is as durable. The change needs no ' +
      'downtime. If the workload is latency-sensitive, compare latencies first.',
    confidence: 'medium',
    method: 'factor',
    find(subject, context) {
      const storage = onDemandOf(subject, /^EBS:VolumeUsage\.piops$/);
      const operations = onDemandOf(subject, /^EBS:VolumeP-IOPS\.piops$/);
      const iops = provisioned(operations, subject.metadata.iops);
      const sizeGib = provisioned(storage, subject.metadata.sizeGib);
      if (sizeGib <= 0n || iops <= 0n || iops > mostIops) return null;
      // io1 moves up to 256 KiB per operation, 500 MiB/s at most.
      const throughputMibps = larger(smaller(percentOf(iops, 25), amountOf('500')), included.throughputMibps);
      const target = { sizeGib, iops: larger(iops, included.iops), throughputMibps };
      // 0.08 instead of 0.125 per GiB in us-east-1 (EBS price page).
      const found = asGp3(subject, context, target, { storage, operations, percent: 64 });
      return { ...found, evidence: { ...found.evidence, iops: numberOf(iops) } };
    },
  },
  {
    // The price of gp3 includes requests. By list price, storage by itself would not be cheaper.
    type: 'aws_ebs_magnetic',
    summary: 'Magnetic EBS volume that would cost less as gp3',
    title: ({ name }) => `Change the magnetic volume ${name} to gp3`,
    description:
      'Each request to a magnetic volume is billed. A gp3 volume of the same size is faster, and costs less ' +
      'than storage and requests together do now.',
    confidence: 'medium',
    method: 'factor',
    find(subject, context) {
      const usage = onDemandOf(subject, /^EBS:Volume(Usage|IOUsage)$/);
      const storage = usage.find(({ meter }) => meter === 'EBS:VolumeUsage');
      if (storage === undefined || storage.quantity <= 0n) return null;
      // 0.08 for gp3 and 0.05 for magnetic storage, by list price in us-east-1.
      const { price, ...grades } = gp3Price(subject, context, per(storage.cost * 8n, storage.quantity * 5n));
      const gp3 = times(price, perMonth(storage.quantity, context.window.days));
      const savings = spread(usage, monthlyCost(usage, context.window) - gp3);
      return { savings, ...grades, evidence: { volume_type: 'standard' } };
    },
    script: reversible(
      'Change the volume type in place',
      ({ region }, id) => sh`aws ec2 modify-volume --region=${region} --volume-id=${id} --volume-type=gp3`,
    ),
  },
]);

/** Returns provisioned units of usage billed per month: GiB of a volume, IOPS. Prefers the listing, because bills count a
 *  day in February as more of a month than one in March, a difference of up to a tenth. */
export function provisioned(usage: readonly Usage[], listed: number | undefined): Amount {
  if (listed !== undefined && usage.length > 0) return amountOf(String(listed));
  return sumAmounts(usage.map((each) => perMonth(each.quantity, each.days)));
}

function snapshotOf(region: string, id: string): string[] {
  return [
    sh`snapshot=$(aws ec2 create-snapshot --region=${region} --volume-id=${id} --query=SnapshotId --output=text) &&`,
    sh`aws ec2 wait snapshot-completed --region=${region} --snapshot-ids "$snapshot" &&`,
  ];
}

function deletionOf(region: string, id: string): string {
  return sh`aws ec2 delete-volume --region=${region} --volume-id=${id}`;
}

/** Performance of a gp3 volume. */
interface Gp3 {
  readonly sizeGib: Amount;
  readonly iops: Amount;
  readonly throughputMibps: Amount;
}

/** Returns the price of a gp3 GiB-month: the account's own in the region, or an estimate. */
function gp3Price(subject: Subject, { prices }: Context, estimate: Amount) {
  const observed = prices.priceOf(subject, 'EBS:VolumeUsage.gp3');
  return observed === null
    ? ({ price: estimate, confidence: 'medium', method: 'factor' } as const)
    : ({ price: observed, confidence: 'high', method: 'observed' } as const);
}

/** Returns the savings of converting a volume to gp3. IOPS above 3000 cost 6% of a GiB each, throughput above 125 MiB/s half
 *  a GiB per MiB/s, as in AWS's Cloud Intelligence Dashboards.
 *  @param percent of the price of the volume's storage, for accounts without gp3 in the region */
function asGp3(
  subject: Subject,
  context: Context,
  target: Gp3,
  own: { readonly storage: readonly Usage[]; readonly operations?: readonly Usage[]; readonly percent: number },
): Found {
  const { sizeGib, iops, throughputMibps } = target;
  const usage = [...own.storage, ...(own.operations ?? [])];
  const estimate = percentOf(per(costOf(own.storage), unitsOf(own.storage)), own.percent);
  const { price, ...grades } = gp3Price(subject, context, estimate);
  const extraIops = percentOf(larger(iops - included.iops, 0n), 6);
  const extraThroughput = percentOf(larger(throughputMibps - included.throughputMibps, 0n), 50);
  const cost = times(price, sizeGib + extraIops + extraThroughput);
  return {
    savings: spread(usage, monthlyCost(usage, context.window) - cost),
    ...grades,
    evidence: {
      size_gib: numberOf(sizeGib),
      gp3_throughput_mibps: numberOf(throughputMibps),
      gp3_price: numberOf(price),
    },
    scripts: () => [modifyToGp3(subject, target)],
  };
}

function modifyToGp3({ region, nativeId }: Subject, { iops, throughputMibps }: Gp3): Script {
  return {
    kind: 'aws_cli',
    title: 'Change the volume type while the volume stays in use',
    script: [
      sh`aws ec2 modify-volume --region=${region} --volume-id=${shortId(nativeId)} --volume-type=gp3`,
      sh`--iops=${Math.ceil(numberOf(iops))} --throughput=${Math.ceil(numberOf(throughputMibps))}`,
    ].join(' '),
    reversible: true,
  };
}
