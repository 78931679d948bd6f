import type { Detector } from '../../detector.ts';
import { nonProductionTag } from '../../environment.ts';
import { sh, type Script } from '../../script.ts';
import { onDemandOf, shortId, type Subject } from '../../subject.ts';
import { repriced } from '../repriced.ts';
import { snapshotCommand } from './disk-script.ts';
import { isCompute, nameBeside } from './full-name.ts';

/** What a balanced disk costs less than an SSD, in percent: 0.10 instead of 0.17 USD a GiB (Google's disk pricing, Iowa),
 *  rounded down. */
const balancedSaving = 40;

/** Development seldom needs the fastest disks. Catalogue 78. */
export const pdSsdBalanced: Detector = {
  type: 'gcp_pd_ssd_balanced',
  summary: 'Non-production SSD disk that could be a balanced disk',
  provider: 'gcp',
  about: 'resource',
  detect(subject, context) {
    const environment = nonProductionTag(subject);
    const usage = onDemandOf(subject, /^(Regional )?SSD backed PD Capacity/i);
    if (environment === null || usage.length === 0 || !isCompute(subject.nativeId, 'disks')) return null;
    const { savings, method } = repriced(
      usage,
      context,
      ({ meter }) => context.prices.priceOf(subject, meter.replace(/SSD backed PD/i, 'Balanced PD')),
      balancedSaving,
    );
    if (savings.length === 0) return null;
    return {
      title: `Replace the SSD ${subject.name} with a balanced disk`,
      description:
        `Its labels say that it is not in production (${environment}), and it is an SSD persistent disk. A ` +
        'balanced disk is also an SSD, with fewer IOPS, and costs about 40% less. The disk is copied through a ' +
        'snapshot.',
      savings,
      confidence: 'medium',
      method,
      evidence: { environment, percent: method === 'factor' ? balancedSaving : null },
      scripts: () => scriptsFor(subject),
    };
  },
};

/** Of disks in one zone; a copy of a regional one wants to know both of its zones. */
function scriptsFor(subject: Subject): Script[] {
  const [, zone] = /\/zones\/([^/]+)\/disks\//.exec(subject.nativeId) ?? [];
  if (zone === undefined) return [];
  const disk = shortId(subject.nativeId);
  const snapshot = nameBeside(disk, 'costkeep');
  const copy = nameBeside(disk, 'balanced');
  return [
    {
      kind: 'gcloud',
      title: 'Create a balanced copy of the disk; attach it in place of the old disk, then delete the old disk',
      script: [
        `${snapshotCommand(subject)} ${sh`--zone=${zone}`} &&`,
        sh`gcloud compute disks create ${copy} --project=${subject.subAccount} --zone=${zone} --source-snapshot=${snapshot} --type=pd-balanced`,
      ].join('\n'),
      reversible: true,
    },
  ];
}
