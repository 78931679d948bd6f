import { sumAmounts } from '../../../../kit/money.ts';
import type { Context, Detector } from '../../detector.ts';
import { sh } from '../../script.ts';
import { onDemandOf, quantityOf, shortId, type Subject, type Usage } from '../../subject.ts';
import { wholeOf } from '../../savings.ts';
import { priceCut, type PriceCut } from './price-cut.ts';

/** 0.60 an hour in extended support, 0.10 in standard support (EKS price page): 5 of 6. */
const factor = 83.3333;

/** A cluster whose Kubernetes version is past its standard support costs six times as much. Catalogue 30. */
export const eksExtendedSupport: Detector = {
  type: 'aws_eks_extended_support',
  summary: 'EKS cluster on a Kubernetes version in paid extended support',
  provider: 'aws',
  about: 'resource',
  detect(subject, context) {
    const usage = onDemandOf(subject, /^AmazonEKS-Hours:extendedSupport/i);
    const cut = cutOf(subject, usage, context);
    if (usage.length === 0 || cut === null) return null;
    const name = shortId(subject.nativeId);
    return {
      title: `Upgrade the cluster ${subject.name} to a supported Kubernetes version`,
      description:
        'The control plane costs six times as much while its version is in extended support. Upgrades go one ' +
        'version at a time and cannot be undone: check for removed APIs (upgrade insights) first, and upgrade the ' +
        'nodes afterwards.',
      ...cut,
      // Both prices are public and the same everywhere.
      confidence: 'high',
      evidence: { meter: usage[0]?.meter ?? '' },
      scripts: () => [
        {
          kind: 'aws_cli',
          title: 'Show the upgrade insights, then upgrade by one version',
          script: [
            sh`aws eks list-insights --region=${subject.region} --cluster-name=${name} &&`,
            sh`current=$(aws eks describe-cluster --region=${subject.region} --name=${name} --query=cluster.version --output=text) &&`,
            sh`aws eks update-cluster-version --region=${subject.region} --name=${name} --kubernetes-version="1.$((\${current#1.} + 1))"`,
          ].join('\n'),
          reversible: false,
        },
      ],
    };
  },
};

/** A bill has the hours of extended support either in place of those of the cluster, or on top of them; then all of them goes. */
function cutOf(subject: Subject, usage: readonly Usage[], context: Context): PriceCut | null {
  const hours = sumAmounts(usage.map(({ quantity }) => quantity));
  if (hours > 0n && quantityOf(subject, /^AmazonEKS-Hours:perCluster/) >= hours)
    return { savings: wholeOf(usage, context.window), method: 'observed', confidence: 'high' };
  return priceCut(context, { subject, usage, meters: ['AmazonEKS-Hours:perCluster'] }, factor);
}
