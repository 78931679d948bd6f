import type { Detector } from '../../detector.ts';
import { databaseOf } from './database.ts';
import { currentOf, peersOf } from './families.ts';
import { priceCut } from './price-cut.ts';
import { resizeDatabase } from './resize.ts';

/** As for EC2: AWS's Cloud Intelligence Dashboards. */
const factor = 5;

/** The current classes do more for less. Catalogue 27. */
export const rdsPreviousGen: Detector = {
  type: 'aws_rds_previous_gen',
  summary: 'RDS database on a class of a previous generation',
  provider: 'aws',
  about: 'resource',
  detect(subject, context) {
    const database = databaseOf(subject);
    if (database === null) return null;
    const targets = peersOf(database.type, currentOf);
    const [target] = targets;
    if (target === undefined) return null;
    const meters = database.isOpenSource ? targets.map((type) => `${database.deployment}:${type}`) : [];
    const cut = priceCut(context, { subject, usage: database.usage, meters }, factor);
    if (cut === null) return null;
    return {
      title: `Move the database ${subject.name} from ${database.type} to ${target}`,
      description:
        'The current classes cost less at the same size and are faster. The change takes the database down for some minutes, ' +
        'and old engine versions must be upgraded first.',
      ...cut,
      evidence: { instance_class: database.type, target_class: target },
      scripts: () => [resizeDatabase(subject, database.id, target)],
    };
  },
};
