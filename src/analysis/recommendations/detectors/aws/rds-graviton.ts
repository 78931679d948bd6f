import type { Detector } from '../../detector.ts';
import { databaseOf } from './database.ts';
import { gravitonOfIntel, peersOf } from './families.ts';
import { priceCut } from './price-cut.ts';
import { resizeDatabase } from './resize.ts';

/** Saved by Graviton where the account pays no price for it: AWS's Cloud Intelligence Dashboards. */
const factor = 10;

/** The service does the change of architecture; open-source engines run on both. Old classes move to current ones first.
 *  Catalogue 28. */
export const rdsGraviton: Detector = {
  type: 'aws_rds_graviton',
  summary: 'RDS database of an open-source engine that is not on arm64 (Graviton)',
  provider: 'aws',
  about: 'resource',
  detect(subject, context) {
    const database = databaseOf(subject);
    if (database === null || !(database.isOpenSource || database.isAurora)) return null;
    const targets = peersOf(database.type, gravitonOfIntel);
    const [target] = targets;
    if (target === undefined) return null;
    // Aurora's classes have prices of their own under the same usage types.
    const meters = database.isOpenSource ? targets.map((type) => `${database.deployment}:${type}`) : [];
    const cut = priceCut(context, { subject, usage: database.usage, meters }, factor);
    if (cut === null) return null;
    return {
      title: `Move the database ${subject.name} from ${database.type} to ${target}`,
      description:
        'The same size with an arm64 processor costs less, and RDS moves the database by itself, away for some minutes in its ' +
        'maintenance window. Old engine versions must be upgraded first.',
      ...cut,
      evidence: { instance_class: database.type, target_class: target },
      scripts: () => [resizeDatabase(subject, database.id, target)],
    };
  },
};
