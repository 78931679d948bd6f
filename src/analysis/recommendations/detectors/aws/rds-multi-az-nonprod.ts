import type { Detector } from '../../detector.ts';
import { nonProductionTag } from '../../environment.ts';
import { shareOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { onDemandOf, shortId } from '../../subject.ts';

/** A standby in a second zone costs as much as the database itself (RDS price page). */
const factor = 50;

/** Outside production a standby waits for a failure that nobody would mind. Catalogue 32. */
export const rdsMultiAzNonprod: Detector = {
  type: 'aws_rds_multi_az_nonprod',
  summary: 'Non-production Multi-AZ RDS database',
  provider: 'aws',
  about: 'resource',
  detect(subject, { window }) {
    const environment = nonProductionTag(subject);
    const usage = onDemandOf(subject, /^(?:Multi-AZUsage:|RDS:Multi-AZ-)/);
    if (environment === null || !/:db:/.test(subject.nativeId) || usage.length === 0) return null;
    return {
      title: `Run the database ${subject.name} in a single Availability Zone`,
      description:
        'The tags say that this database is not in production, and a standby in a second Availability Zone ' +
        'doubles its cost. Without the standby, a failure or maintenance takes the database down for a few ' +
        'minutes.',
      savings: shareOf(usage, factor, window),
      confidence: 'medium',
      method: 'factor',
      evidence: { environment, meters: usage.map(({ meter }) => meter) },
      scripts: () => [
        {
          kind: 'aws_cli',
          title: 'Remove the standby in the next maintenance window',
          script: sh`aws rds modify-db-instance --region=${subject.region} --db-instance-identifier=${shortId(subject.nativeId)} --no-multi-az --no-apply-immediately`,
          reversible: true,
        },
      ],
    };
  },
};
