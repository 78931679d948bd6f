import { aSubject, type Case } from '../../subject.ts';
import { arn } from './arn.ts';

const db = { nativeId: arn('rds', 'db:orders'), name: 'orders', service: 'Amazon Relational Database Service' };
const mysql = '$0.4 per RDS Single-AZ instance hour (or partial hour) running MySQL';

export const databaseCases = {
  aws_rds_previous_gen: {
    subject: aSubject({ ...db, usage: [{ meter: 'InstanceUsage:db.m4.xlarge', description: mysql, cost: '288' }] }),
  },
  aws_rds_extended_support: {
    subject: aSubject({
      ...db,
      usage: [{ meter: 'ExtendedSupport:Yr1-Yr2:MySQL5.7', service: 'Amazon Relational Database Service', cost: '60' }],
    }),
  },
  aws_engine_extended_support: {
    subject: aSubject({
      nativeId: arn('es', 'domain/logs'),
      usage: [{ meter: 'ESExtendedSupport:m5.large', service: 'Amazon OpenSearch Service', cost: '15' }],
    }),
  },
  aws_rds_multi_az_nonprod: {
    subject: aSubject({
      ...db,
      tags: { Environment: 'test' },
      usage: [
        { meter: 'Multi-AZUsage:db.m6g.large', cost: '200' },
        { meter: 'RDS:Multi-AZ-GP3-Storage', cost: '40' },
        { meter: 'RDS:ChargedBackupUsage', cost: '5' },
      ],
    }),
  },
  aws_rds_graviton: {
    subject: aSubject({ ...db, usage: [{ meter: 'InstanceUsage:db.m5.xlarge', description: mysql, cost: '288' }] }),
  },
  aws_rds_piops_gp3: {
    subject: aSubject({
      ...db,
      usage: [
        { meter: 'InstanceUsage:db.m5.xlarge', description: 'running SQL Server SE (LI)', kind: 'reserved' },
        { meter: 'RDS:PIOPS-Storage', unit: 'GB-Mo', quantity: '200', cost: '25' },
        { meter: 'RDS:PIOPS', unit: 'IOPS-Mo', quantity: '6000', cost: '600' },
      ],
    }),
  },
  aws_rds_backup_excess: {
    subject: aSubject({
      ...db,
      metadata: { retentionDays: 35 },
      usage: [
        { meter: 'RDS:GP2-Storage', unit: 'GB-Mo', cost: '100' },
        { meter: 'RDS:ChargedBackupUsage', unit: 'GB-Mo', cost: '80' },
      ],
    }),
  },
} satisfies Record<string, Case>;
