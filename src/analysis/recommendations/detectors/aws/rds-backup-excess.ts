import { sumAmounts } from '../../../../kit/money.ts';
import type { Detector } from '../../detector.ts';
import { numberOf } from '../../figures.ts';
import { spread } from '../../savings.ts';
import { sh, type Script } from '../../script.ts';
import { monthlyCost, shortId, usageOf, type Subject } from '../../subject.ts';

/** Days of automatic backups that most keep. */
const keptDays = 7;

/** Backups that cost more than half of what they protect. Catalogue 34. */
export const rdsBackupExcess: Detector = {
  type: 'aws_rds_backup_excess',
  summary: 'RDS backups that cost more than half as much as the storage, or whose database no longer exists',
  provider: 'aws',
  about: 'resource',
  detect(subject, { window }) {
    const backups = usageOf(subject, /^(?:RDS:ChargedBackup|Aurora:Backup)Usage/);
    const storage = subject.usage.filter(({ meter }) => /^(?:RDS|Aurora):.*Storage(?:Usage)?$/.test(meter));
    const backupCost = monthlyCost(backups, window);
    const storageCost = monthlyCost(storage, window);
    // Snapshots are billed apart from their database: without its storage nothing is known but that it is gone.
    if (storage.length === 0 && subject.metadata.sourceExists !== false) return null;
    const savings = spread(backups, backupCost - storageCost / 2n);
    if (savings.length === 0) return null;
    return {
      title: `Keep fewer backups of ${subject.name}`,
      description:
        'The backups beyond the free allowance cost more than half as much as the storage of the database, or the ' +
        'database no longer exists. Shorten the retention of automated backups and delete manual snapshots that ' +
        'are no longer needed.',
      savings,
      confidence: 'low',
      method: 'upper_bound',
      evidence: {
        backup_gib_months: numberOf(sumAmounts(backups.map(({ quantity }) => quantity))),
        storage_monthly_cost: numberOf(storageCost),
        retention_days: subject.metadata.retentionDays ?? null,
      },
      scripts: () => cleanUp(subject),
    };
  },
};

function cleanUp(subject: Subject): Script[] {
  const id = shortId(subject.nativeId);
  // Aurora keeps backups of clusters, under commands of their own.
  const of = /:cluster(?:-snapshot)?:/.test(subject.nativeId) ? 'db-cluster' : 'db';
  if (/:(?:cluster-)?snapshot:/.test(subject.nativeId))
    return [
      {
        kind: 'aws_cli',
        title: 'Delete the snapshot',
        script: `aws rds delete-${of}-snapshot ${sh`--region=${subject.region}`} --${of}-${sh`snapshot-identifier=${id}`}`,
        reversible: false,
      },
    ];
  const instance = of === 'db' ? 'db-instance' : of;
  const identifier = `--${instance}-${sh`identifier=${id}`}`;
  const list: Script = {
    kind: 'aws_cli',
    title: 'List the manual snapshots',
    script: `aws rds describe-${of}-snapshots ${sh`--region=${subject.region} --snapshot-type=manual`} ${identifier}`,
    reversible: true,
  };
  if ((subject.metadata.retentionDays ?? 0) <= keptDays) return [list];
  return [
    list,
    {
      kind: 'aws_cli',
      title: 'Keep automated backups for 7 days',
      script: `aws rds modify-${instance} ${sh`--region=${subject.region}`} ${identifier} ${sh`--backup-retention-period=${keptDays} --apply-immediately`}`,
      reversible: false,
    },
  ];
}
