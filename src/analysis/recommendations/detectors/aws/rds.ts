import { detectorsOf, reversible, type Context, type Found } from '../detector.ts';
import { amountOf, larger, numberOf, percentOf, times } from '../figures.ts';
import { nonProductionTag } from '../nonproduction.ts';
import { sh, type Script } from '../script.ts';
import {
  monthlyCost,
  onDemandOf,
  shareOf,
  shortId,
  spread,
  unitsOf,
  usageOf,
  type Subject,
  type Usage,
} from '../subject.ts';
import { provisioned } from './ebs.ts';
import { currentDatabaseOf, gravitonDatabaseOf, moveOf, type Families } from './families.ts';

export const awsRds = detectorsOf('aws', [
  {
    type: 'aws_rds_previous_gen',
    summary: 'RDS database on a previous-generation instance class',
    title: ({ name }, { instance_class, target_class }) =>
      `Move the database ${name} from ${instance_class} to ${target_class}`,
    description:
      'Current instance classes cost less at the same size and are faster. The change takes the database down ' +
      'for a few minutes, and old engine versions must be upgraded first.',
    confidence: 'medium',
    method: 'factor',
    find: (subject, context) => moveDatabase(subject, context, currentDatabaseOf),
  },
  {
    // RDS changes the architecture; open-source engines run on both. Old classes move to current ones first.
    type: 'aws_rds_graviton',
    summary: 'RDS database with an open-source engine that could run on arm64 (Graviton)',
    title: ({ name }, { instance_class, target_class }) =>
      `Move the database ${name} from ${instance_class} to ${target_class}`,
    description:
      'The same size with an arm64 processor costs less. RDS moves the database itself in a maintenance window, ' +
      'with a few minutes of downtime. Old engine versions must be upgraded first.',
    confidence: 'medium',
    method: 'factor',
    find: (subject, context) =>
      isOpenSource(subject) || isAurora(subject) ? moveDatabase(subject, context, gravitonDatabaseOf) : null,
  },
  {
    type: 'aws_rds_multi_az_nonprod',
    summary: 'Non-production Multi-AZ RDS database',
    title: ({ name }) => `Run the database ${name} in a single Availability Zone`,
    description:
      'The tags mark this database as non-production, and a standby in a second Availability Zone ' +
      'doubles its cost. Without the standby, a failure or maintenance takes the database down for a few ' +
      'minutes.',
    confidence: 'medium',
    method: 'factor',
    find(subject, { window }) {
      const environment = nonProductionTag(subject);
      const usage = onDemandOf(subject, /^(?:Multi-AZUsage:|RDS:Multi-AZ-)/);
      if (environment === null || !isInstance(subject)) return null;
      // The standby costs as much as the database itself (RDS price page).
      return {
        savings: shareOf(usage, 50, window),
        evidence: { environment, meters: usage.map(({ meter }) => meter) },
      };
    },
    script: reversible(
      'Remove the standby in the next maintenance window',
      ({ region }, id) =>
        sh`aws rds modify-db-instance --region=${region} --db-instance-identifier=${id} --no-multi-az --no-apply-immediately`,
    ),
  },
  {
    type: 'aws_rds_piops_gp3',
    summary: 'RDS database on io1 storage that would cost less on gp3',
    title: ({ name }) => `Move the storage of the database ${name} from io1 to gp3`,
    description:
      'With the same IOPS, gp3 storage costs less. The database stays available during the change, but can be ' +
      'slower until it is complete. If the workload is latency-sensitive, compare latencies first.',
    confidence: 'medium',
    method: 'factor',
    find: io1ToGp3,
  },
  {
    type: 'aws_rds_backup_excess',
    summary: 'RDS backups that cost more than half as much as the storage, or whose database no longer exists',
    title: ({ name }) => `Keep fewer backups of ${name}`,
    description:
      'The backups beyond the free allowance cost more than half as much as the storage of the database, or the ' +
      'database no longer exists. Shorten the retention of automated backups and delete manual snapshots that ' +
      'are no longer needed.',
    confidence: 'low',
    method: 'upper_bound',
    find(subject, { window }) {
      const backups = usageOf(subject, /^(?:RDS:ChargedBackup|Aurora:Backup)Usage/);
      const storage = subject.usage.filter(({ meter }) => /^(?:RDS|Aurora):.*Storage(?:Usage)?$/.test(meter));
      const storageCost = monthlyCost(storage, window);
      // Snapshots are billed separately from their database: without its storage cost, they count only if it no longer exists.
      if (storage.length === 0 && subject.metadata.sourceExists !== false) return null;
      return {
        savings: spread(backups, monthlyCost(backups, window) - storageCost / 2n),
        evidence: {
          backup_gib_months: numberOf(unitsOf(backups)),
          storage_monthly_cost: numberOf(storageCost),
          retention_days: subject.metadata.retentionDays ?? null,
        },
        scripts: () => backupScripts(subject),
      };
    },
  },
]);

function isInstance({ nativeId }: Subject): boolean {
  return /:db:/.test(nativeId);
}

/** Returns whether it runs MySQL, MariaDB or PostgreSQL outside Aurora, according to the listing or its charges. */
function isOpenSource(subject: Subject): boolean {
  return !isAurora(subject) && /mysql|mariadb|postgres/i.test(engineOf(subject));
}

/** Returns whether it runs Aurora, according to the listing or its charges. */
export function isAurora(subject: Subject): boolean {
  return /aurora/i.test(engineOf(subject));
}

function engineOf({ metadata, usage }: Subject): string {
  return [metadata.engine ?? '', ...usage.map(({ meter, description }) => `${meter} ${description}`)].join(' ');
}

/** Finds a move of an on-demand database instance to another class. Null for anything else, and for an instance whose class
 *  changed in the window. */
function moveDatabase(subject: Subject, context: Context, families: Families): Found | null {
  const usage = onDemandOf(subject, /^(?:InstanceUsage|Multi-AZUsage):db\./);
  const meters = new Set(usage.map(({ meter }) => meter));
  const [meter] = meters;
  if (meter === undefined || meters.size > 1 || !isInstance(subject)) return null;
  const [deployment, type = ''] = meter.split(':');
  // All engines have the same usage types, but only open-source engines outside Aurora have the same prices.
  const meterOf = isOpenSource(subject) ? (other: string) => `${deployment}:${other}` : null;
  const move = moveOf(context, { subject, usage, type, meterOf }, families);
  if (move === null) return null;
  const { target, ...cut } = move;
  return {
    ...cut,
    evidence: { instance_class: type, target_class: target },
    scripts: () => [
      {
        kind: 'aws_cli',
        title: 'Change the instance class in the next maintenance window',
        script: sh`aws rds modify-db-instance --region=${subject.region} --db-instance-identifier=${shortId(subject.nativeId)} --db-instance-class=${target} --no-apply-immediately`,
        reversible: true,
      },
    ],
  };
}

/** IOPS included in gp3: more from 400 GiB, where RDS stripes open-source engines over four volumes. */
const baseline = amountOf('3000');
const striped = { fromGib: amountOf('400'), iops: amountOf('12000') } as const;
/** Maximum IOPS of gp3 in RDS. */
const mostIops = amountOf('64000');

function io1ToGp3(subject: Subject, { window }: Context): Found | null {
  const storage = onDemandOf(subject, /^RDS:(?:Multi-AZ-)?PIOPS-Storage$/);
  const operations = onDemandOf(subject, /^RDS:(?:Multi-AZ-)?PIOPS$/);
  const sizeGib = provisioned(storage, subject.metadata.sizeGib);
  const iops = provisioned(operations, subject.metadata.iops);
  if (!isInstance(subject) || sizeGib <= 0n || iops <= 0n || iops > mostIops) return null;
  const isStriped = isOpenSource(subject) && sizeGib >= striped.fromGib;
  // Smaller open-source databases have the IOPS included in gp3: RDS rejects an explicit number.
  const isFixed = isOpenSource(subject) && !isStriped;
  if (isFixed && iops > baseline) return null;
  const free = isStriped ? striped.iops : baseline;
  const extra = larger(iops - free, 0n);
  // gp3 instead of io1 in us-east-1 (RDS price page): 0.115 of 0.125 per GiB, 0.02 of 0.10 per IOPS.
  const perOperation = (monthlyCost(operations, window) * amountOf('1')) / iops;
  const cost = percentOf(monthlyCost(storage, window), 92) + percentOf(times(perOperation, extra), 20);
  const usage: Usage[] = [...storage, ...operations];
  return {
    savings: spread(usage, monthlyCost(usage, window) - cost),
    evidence: { size_gib: numberOf(sizeGib), iops: numberOf(iops), extra_iops: numberOf(extra) },
    scripts: () => [
      {
        kind: 'aws_cli',
        title: 'Change the storage type',
        script: [
          sh`aws rds modify-db-instance --region=${subject.region} --db-instance-identifier=${shortId(subject.nativeId)}`,
          '--storage-type=gp3',
          ...(isFixed ? [] : [sh`--iops=${Math.ceil(numberOf(larger(iops, free)))}`]),
          '--apply-immediately',
        ].join(' '),
        reversible: true,
      },
    ],
  };
}

/** Days that most organizations keep automated backups. */
const keptDays = 7;

function backupScripts({ nativeId, region, metadata }: Subject): Script[] {
  const id = shortId(nativeId);
  // Aurora has backups of clusters, with separate commands.
  const of = /:cluster(?:-snapshot)?:/.test(nativeId) ? 'db-cluster' : 'db';
  if (/:(?:cluster-)?snapshot:/.test(nativeId))
    return [
      {
        kind: 'aws_cli',
        title: 'Delete the snapshot',
        script: `aws rds delete-${of}-snapshot ${sh`--region=${region}`} --${of}-${sh`snapshot-identifier=${id}`}`,
        reversible: false,
      },
    ];
  const instance = of === 'db' ? 'db-instance' : of;
  const identifier = `--${instance}-${sh`identifier=${id}`}`;
  const list: Script = {
    kind: 'aws_cli',
    title: 'List the manual snapshots',
    script: `aws rds describe-${of}-snapshots ${sh`--region=${region} --snapshot-type=manual`} ${identifier}`,
    reversible: true,
  };
  const shorten: Script = {
    kind: 'aws_cli',
    title: 'Keep automated backups for 7 days',
    script: `aws rds modify-${instance} ${sh`--region=${region}`} ${identifier} ${sh`--backup-retention-period=${keptDays} --apply-immediately`}`,
    reversible: false,
  };
  return (metadata.retentionDays ?? 0) <= keptDays ? [list] : [list, shorten];
}
