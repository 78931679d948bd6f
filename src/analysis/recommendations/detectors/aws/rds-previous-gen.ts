import type { Detector } from '../../detector.ts';
import { databaseOf } from './database.ts';
import { currentDatabaseOf, targetsOf } from './families.ts';
import { cheapestOf, priceCut } from './price-cut.ts';
import { resizeDatabase } from './resize.ts';

/** The current classes do more for less. Catalogue 27. */
export const rdsPreviousGen: Detector = {
  type: 'aws_rds_previous_gen',
  summary: 'RDS database on a previous-generation instance class',
  provider: 'aws',
  about: 'resource',
  detect(subject, context) {
    const database = databaseOf(subject);
    if (database === null) return null;
    const { types, percent } = targetsOf(database.type, currentDatabaseOf);
    const meterOf = database.isOpenSource ? (type: string) => `${database.deployment}:${type}` : null;
    const found = cheapestOf(context, subject, { types, meterOf });
    if (found === null) return null;
    const { target, meters } = found;
    const cut = priceCut(context, { subject, usage: database.usage, meters }, percent);
    if (cut === null) return null;
    return {
      title: `Move the database ${subject.name} from ${database.type} to ${target}`,
      description:
        'Current instance classes cost less at the same size and are faster. The change takes the database down ' +
        'for a few minutes, and old engine versions must be upgraded first.',
      ...cut,
      evidence: { instance_class: database.type, target_class: target },
      scripts: () => [resizeDatabase(subject, database.id, target)],
    };
  },
};
