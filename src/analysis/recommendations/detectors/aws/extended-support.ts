import { detectorsOf, irreversible } from '../detector.ts';
import { priceCut } from '../repriced.ts';
import { sh } from '../script.ts';
import { onDemandOf, quantityOf, unitsOf, usageOf, wholeOf, type Subject } from '../subject.ts';
import { isAurora } from './rds.ts';

/** Services other than RDS whose engines have paid extended support. */
const otherEngines = /OpenSearch|Elasticsearch|ElastiCache|DocumentDB|Neptune/i;

/** Detectors of versions whose standard support has ended, for which AWS charges extra. */
export const awsExtendedSupport = detectorsOf('aws', [
  {
    type: 'aws_rds_extended_support',
    summary: 'RDS database on an engine version in paid extended support',
    title: ({ name }) => `Upgrade the engine of the database ${name}`,
    description:
      'The engine version is past the end of standard support, and AWS charges extra for every vCPU, twice as ' +
      'much in the third year. Test the upgrade on a copy first: a major version can change query results.',
    confidence: 'high',
    method: 'observed',
    find(subject, { window }) {
      const usage = usageOf(subject, /^ExtendedSupport:Yr/).filter(({ service }) => !otherEngines.test(service));
      return {
        savings: wholeOf(usage, window),
        evidence: { meter: usage[0]?.meter ?? '', engine_version: subject.metadata.engineVersion ?? null },
      };
    },
    // A major version cannot be downgraded: the snapshot lacks later writes.
    script: irreversible(
      'Take a snapshot, then upgrade to the first newer major version in the next maintenance window',
      (subject, id) => upgradeCommands(subject, id).join('\n'),
    ),
  },
  {
    type: 'aws_engine_extended_support',
    summary: 'OpenSearch, ElastiCache, DocumentDB or Neptune in paid extended support',
    title: ({ name }) => `Upgrade the engine version of ${name}`,
    description:
      'The engine version is past the end of standard support, and AWS charges extra for it. Upgrades of search ' +
      'domains and caches cannot be undone: test them on a copy first.',
    confidence: 'high',
    method: 'observed',
    find(subject, { window }) {
      const usage = usageOf(subject, /Extended-?Support/i).filter(({ service }) => otherEngines.test(service));
      return {
        savings: wholeOf(usage, window),
        evidence: { meter: usage[0]?.meter ?? '', service: usage[0]?.service ?? '' },
      };
    },
  },
  {
    type: 'aws_eks_extended_support',
    summary: 'EKS cluster on a Kubernetes version in paid extended support',
    title: ({ name }) => `Upgrade the cluster ${name} to a supported Kubernetes version`,
    description:
      'The control plane costs six times as much while its version is in extended support. Upgrades go one ' +
      'version at a time and cannot be undone: check for removed APIs (upgrade insights) first, and upgrade the ' +
      'nodes afterwards.',
    // Both prices are public and the same in all regions.
    confidence: 'high',
    method: 'observed',
    find(subject, context) {
      const usage = onDemandOf(subject, /^AmazonEKS-Hours:extendedSupport/i);
      const hours = unitsOf(usage);
      const meter = 'AmazonEKS-Hours:perCluster';
      // Bills list hours of extended support either in addition to those of the cluster, or in place of them.
      const isInAddition = hours > 0n && quantityOf(subject, /^AmazonEKS-Hours:perCluster/) >= hours;
      // 0.60 per hour in extended support, 0.10 in standard support (EKS price page): 5 of 6.
      const { savings, method } = isInAddition
        ? ({ savings: wholeOf(usage, context.window), method: 'observed' } as const)
        : priceCut(context, { subject, usage, meter }, 83.3333);
      return { savings, method, evidence: { meter: usage[0]?.meter ?? '' } };
    },
    script: irreversible('Show the upgrade insights, then upgrade by one version', ({ region }, name) =>
      [
        sh`aws eks list-insights --region=${region} --cluster-name=${name} &&`,
        sh`current=$(aws eks describe-cluster --region=${region} --name=${name} --query=cluster.version --output=text) &&`,
        sh`aws eks update-cluster-version --region=${region} --name=${name} --kubernetes-version="1.$((\${current#1.} + 1))"`,
      ].join('\n'),
    ),
  },
]);

function upgradeCommands(subject: Subject, id: string): string[] {
  const { region } = subject;
  const instance = sh`--region=${region} --db-instance-identifier=${id}`;
  if (/:cluster:/.test(subject.nativeId)) return upgrade('cluster', region, sh`--db-cluster-identifier=${id}`);
  if (!isAurora(subject)) return upgrade('instance', region, sh`--db-instance-identifier=${id}`);
  // Aurora bills instances, but the cluster has the version.
  return [
    `cluster=$(aws rds describe-db-instances ${instance} --query='DBInstances[0].DBClusterIdentifier' --output=text) &&`,
    ...upgrade('cluster', region, '--db-cluster-identifier="$cluster"'),
  ];
}

const names = {
  instance: { list: 'DBInstances', snapshot: 'db-snapshot', result: 'DBSnapshot.DBSnapshotIdentifier' },
  cluster: {
    list: 'DBClusters',
    snapshot: 'db-cluster-snapshot',
    result: 'DBClusterSnapshot.DBClusterSnapshotIdentifier',
  },
} as const;

function upgrade(what: 'instance' | 'cluster', region: string, identifier: string): string[] {
  const { list, snapshot, result } = names[what];
  const of = `${sh`--region=${region}`} ${identifier}`;
  const describe = (field: string) =>
    `$(aws rds describe-db-${what}s ${of} --query='${list}[0].${field}' --output=text)`;
  return [
    `engine=${describe('Engine')} &&`,
    `current=${describe('EngineVersion')} &&`,
    sh`version=$(aws rds describe-db-engine-versions --region=${region} --engine="$engine" --engine-version="$current" --query=${'DBEngineVersions[0].ValidUpgradeTarget[?IsMajorVersionUpgrade]|[0].EngineVersion'} --output=text) &&`,
    `snapshot=$(aws rds create-${snapshot} ${of} --${snapshot}-identifier=before-upgrade-"$(date +%s)"` +
      ` --query=${result} --output=text) &&`,
    `aws rds wait ${snapshot}-available ${sh`--region=${region}`} --${snapshot}-identifier="$snapshot" &&`,
    `aws rds modify-db-${what} ${of} --engine-version="$version" --allow-major-version-upgrade`,
  ];
}
