import type { Detector } from '../../detector.ts';
import { databaseOf } from './database.ts';
import { gravitonDatabaseOf, targetsOf } from './families.ts';
import { cheapestOf, priceCut } from './price-cut.ts';
import { resizeDatabase } from './resize.ts';

/** The service does the change of architecture; open-source engines run on both. Old classes move to current ones first.
 *  Catalogue 28. */
export const rdsGraviton: Detector = {
  type: 'aws_rds_graviton',
  summary: 'RDS database with an open-source engine that does not run on arm64 (Graviton)',
  provider: 'aws',
  about: 'resource',
  detect(subject, context) {
    const database = databaseOf(subject);
    if (database === null || !(database.isOpenSource || database.isAurora)) return null;
    const { types, percent } = targetsOf(database.type, gravitonDatabaseOf);
    // Aurora's classes have prices of their own under the same usage types.
    const meterOf = database.isOpenSource ? (type: string) => `${database.deployment}:${type}` : null;
    const found = cheapestOf(context, subject, { types, meterOf });
    if (found === null) return null;
    const { target, meters } = found;
    const cut = priceCut(context, { subject, usage: database.usage, meters }, percent);
    if (cut === null) return null;
    return {
      title: `Move the database ${subject.name} from ${database.type} to ${target}`,
      description:
        'The same size with an arm64 processor costs less. RDS moves the database itself in a maintenance window, ' +
        'with a few minutes of downtime. Old engine versions must be upgraded first.',
      ...cut,
      evidence: { instance_class: database.type, target_class: target },
      scripts: () => [resizeDatabase(subject, database.id, target)],
    };
  },
};
