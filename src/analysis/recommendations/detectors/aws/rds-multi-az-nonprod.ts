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
  summary: 'Multi-AZ RDS database outside production',
  provider: 'aws',
  about: 'resource',
  detect(subject, { window }) {
    const environment = nonProductionTag(subject);
    const usage = onDemandOf(subject, /^(?:Multi-AZUsage:|RDS:Multi-AZ-)/);
    if (environment === null || !/:db:/.test(subject.nativeId) || usage.length === 0) return null;
    return {
      title: `Run the database ${subject.name} in one zone`,
      description:
        'The tags say that this database is not in production, and a standby in a second zone doubles what it costs. In one ' +
        'zone a failure or maintenance takes it down for some minutes.',
      savings: shareOf(usage, factor, window),
      confidence: 'medium',
      method: 'factor',
      evidence: { environment, meters: usage.map(({ meter }) => meter) },
      scripts: () => [
        {
          kind: 'aws_cli',
          title: 'Give up the standby in the next maintenance window',
          script: sh`aws rds modify-db-instance --region=${subject.region} --db-instance-identifier=${shortId(subject.nativeId)} --no-multi-az --no-apply-immediately`,
          reversible: true,
        },
      ],
    };
  },
};
