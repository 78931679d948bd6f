import type { Detector } from '../../detector.ts';
import { wholeOf } from '../../savings.ts';
import { sh, type Script } from '../../script.ts';
import { shortId, usageOf, type Subject } from '../../subject.ts';
import { isAurora } from './database.ts';
import { otherEngines } from './engine-extended-support.ts';

/** AWS charges by the vCPU for engine versions whose community support has ended. Catalogue 29. */
export const rdsExtendedSupport: Detector = {
  type: 'aws_rds_extended_support',
  summary: 'RDS database on an engine version in paid extended support',
  provider: 'aws',
  about: 'resource',
  detect(subject, { window }) {
    const usage = usageOf(subject, /^ExtendedSupport:Yr/).filter(({ service }) => !otherEngines.test(service));
    if (usage.length === 0) return null;
    return {
      title: `Upgrade the engine of the database ${subject.name}`,
      description:
        'The engine version is past the end of standard support, and AWS charges extra for every vCPU, twice as ' +
        'much in the third year. Test the upgrade on a copy first: a major version can change query results.',
      savings: wholeOf(usage, window),
      confidence: 'high',
      method: 'observed',
      evidence: { meter: usage[0]?.meter ?? '', engine_version: subject.metadata.engineVersion ?? null },
      scripts: () => [versions(subject)],
    };
  },
};

function versions(subject: Subject): Script {
  const id = shortId(subject.nativeId);
  return {
    kind: 'aws_cli',
    title: 'Take a snapshot, then upgrade to the first newer major version in the next maintenance window',
    script: commands(subject, id).join('\n'),
    // A major version cannot be left again: the snapshot lacks what is written after it.
    reversible: false,
  };
}

function commands(subject: Subject, id: string): string[] {
  const { region } = subject;
  if (/:cluster:/.test(subject.nativeId)) return upgradeCluster(region, sh`--db-cluster-identifier=${id}`);
  if (!isAurora(subject)) return upgradeInstance(region, id);
  // Instances of Aurora are billed, but their cluster is what has a version.
  const cluster = sh`aws rds describe-db-instances --region=${region} --db-instance-identifier=${id}`;
  return [
    `cluster=$(${cluster} --query='DBInstances[0].DBClusterIdentifier' --output=text) &&`,
    ...upgradeCluster(region, '--db-cluster-identifier="$cluster"'),
  ];
}

const newest = sh`--query=${'DBEngineVersions[0].ValidUpgradeTarget[?IsMajorVersionUpgrade]|[0].EngineVersion'} --output=text`;

function upgradeInstance(region: string, id: string): string[] {
  const of = sh`--region=${region} --db-instance-identifier=${id}`;
  return [
    `engine=$(aws rds describe-db-instances ${of} --query='DBInstances[0].Engine' --output=text) &&`,
    `current=$(aws rds describe-db-instances ${of} --query='DBInstances[0].EngineVersion' --output=text) &&`,
    sh`version=$(aws rds describe-db-engine-versions --region=${region} --engine="$engine" --engine-version="$current"` +
      ` ${newest}) &&`,
    `snapshot=$(aws rds create-db-snapshot ${of} --db-snapshot-identifier=before-upgrade-"$(date +%s)"` +
      ' --query=DBSnapshot.DBSnapshotIdentifier --output=text) &&',
    sh`aws rds wait db-snapshot-available --region=${region} --db-snapshot-identifier="$snapshot" &&`,
    `aws rds modify-db-instance ${of} --engine-version="$version" --allow-major-version-upgrade`,
  ];
}

function upgradeCluster(region: string, identifier: string): string[] {
  const of = `${sh`--region=${region}`} ${identifier}`;
  return [
    `engine=$(aws rds describe-db-clusters ${of} --query='DBClusters[0].Engine' --output=text) &&`,
    `current=$(aws rds describe-db-clusters ${of} --query='DBClusters[0].EngineVersion' --output=text) &&`,
    sh`version=$(aws rds describe-db-engine-versions --region=${region} --engine="$engine" --engine-version="$current"` +
      ` ${newest}) &&`,
    `snapshot=$(aws rds create-db-cluster-snapshot ${of} --db-cluster-snapshot-identifier=before-upgrade-"$(date +%s)"` +
      ' --query=DBClusterSnapshot.DBClusterSnapshotIdentifier --output=text) &&',
    sh`aws rds wait db-cluster-snapshot-available --region=${region} --db-cluster-snapshot-identifier="$snapshot" &&`,
    `aws rds modify-db-cluster ${of} --engine-version="$version" --allow-major-version-upgrade`,
  ];
}
