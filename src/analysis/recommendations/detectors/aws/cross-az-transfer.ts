import type { Detector, Finding } from '../../detector.ts';
import { amountOf, numberOf, perMonth } from '../../figures.ts';
import { shareOf } from '../../savings.ts';
import { onDemandOf, quantityOf, type Subject, type Window } from '../../subject.ts';

const meter = /^DataTransfer-(?:Regional|xAZ-In|xAZ-Out)-Bytes$/;
/** GB a month below which nobody rewires anything. */
const leastGb = amountOf('1000');
/** Between 30 and 80 % of it can stay in its zone where clients prefer near servers. */
const factor = 50;

/** Traffic between zones is charged at both ends. Catalogue 22. */
export const crossAzTransfer: Detector = {
  type: 'aws_cross_az_transfer',
  summary: 'Resource with high traffic between Availability Zones',
  provider: 'aws',
  about: 'resource',
  detect: (subject, { window }) =>
    find(subject, window, `Keep the traffic of ${subject.name} within its Availability Zone`),
};

/** The same where the bill names no resource. */
export const crossAzTransferShared: Detector = {
  type: 'aws_cross_az_transfer_shared',
  summary: 'High traffic between Availability Zones without a resource on the bill',
  provider: 'aws',
  about: 'scope',
  detect: (subject, { window }) =>
    find(
      subject,
      window,
      `Keep traffic of ${subject.service} in ${subject.region} (account ${subject.subAccount}) within its Availability Zone`,
    ),
};

function find(subject: Subject, window: Window, title: string): Finding | null {
  const usage = onDemandOf(subject, meter);
  const gigabytes = perMonth(quantityOf(subject, meter), window.days);
  if (usage.length === 0 || gigabytes < leastGb) return null;
  return {
    title,
    description:
      'Traffic between Availability Zones is billed per GB at both ends. Topology-aware routing in Kubernetes, zonal ' +
      'load balancer endpoints and clients that read from the nearest replica keep much of it within a zone; flow logs ' +
      'show which resources communicate.',
    savings: shareOf(usage, factor, window),
    confidence: 'low',
    method: 'factor',
    evidence: { gb_per_month: numberOf(gigabytes) },
    scripts: () => [],
  };
}
