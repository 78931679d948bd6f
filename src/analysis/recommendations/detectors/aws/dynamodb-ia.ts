import { percentOf } from '../../figures.ts';
import type { Detector } from '../../detector.ts';
import { spread } from '../../savings.ts';
import { sh } from '../../script.ts';
import { monthlyCost, onDemandOf, shortId } from '../../subject.ts';

/** In the class Standard-Infrequent Access storage costs 60 % less and throughput 25 % more
 *  (aws.amazon.com/dynamodb/pricing). Catalogue 41. */
const storageSaved = 60;
const throughputAdded = 25;
const throughputMeter = /(Read|Write)(CapacityUnit-Hrs|RequestUnits)/;

/** A table that is kept rather than used. */
export const dynamodbIa: Detector = {
  type: 'aws_dynamodb_ia_class',
  summary: 'DynamoDB table whose storage costs much more than its requests',
  provider: 'aws',
  about: 'resource',
  detect(subject, { window }) {
    // What is reserved applies to Standard tables alone: it would be paid for, and the table's throughput on top.
    if (subject.usage.some(({ kind, meter }) => kind === 'reserved' && throughputMeter.test(meter))) return null;
    const storage = onDemandOf(subject, /^TimedStorage-ByteHrs$/).filter(({ service }) => /DynamoDB/.test(service));
    const throughput = onDemandOf(subject, throughputMeter);
    const storageCost = monthlyCost(storage, window);
    const throughputCost = monthlyCost(throughput, window);
    // AWS advises it where storage is more than half of throughput.
    if (storage.length === 0 || storageCost * 2n <= throughputCost) return null;
    const savings = spread(storage, percentOf(storageCost, storageSaved) - percentOf(throughputCost, throughputAdded));
    if (savings.length === 0) return null;
    return {
      title: `Change the table ${subject.name} to the Standard-Infrequent Access class`,
      description:
        'Most of the cost of this table is storage. In the Standard-Infrequent Access class, storage costs 60% ' +
        'less and requests cost 25% more. The change is made in place, at most twice in 30 days.',
      savings,
      confidence: 'medium',
      method: 'factor',
      evidence: { table_class: subject.metadata.sku ?? 'STANDARD' },
      scripts: () => [
        {
          kind: 'aws_cli',
          title: 'Change the table class',
          script: sh`aws dynamodb update-table --region=${subject.region} --table-name=${shortId(subject.nativeId)} --table-class=STANDARD_INFREQUENT_ACCESS`,
          reversible: true,
        },
      ],
    };
  },
};
