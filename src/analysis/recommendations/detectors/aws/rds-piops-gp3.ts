import type { Detector } from '../../detector.ts';
import { amountOf, larger, numberOf, percentOf, times } from '../../figures.ts';
import { spread } from '../../savings.ts';
import { sh } from '../../script.ts';
import { monthlyCost, onDemandOf, shortId, type Usage, type Window } from '../../subject.ts';
import { isOpenSource } from './database.ts';
import { provisioned } from './gp3.ts';

/** gp3 against io1 in us-east-1 (RDS price page): 0.115 of 0.125 a GiB, 0.02 of 0.10 an operation a second. */
const storageShare = 92;
const operationShare = 20;
/** Operations a second in the price of gp3: more from 400 GiB on, where RDS stripes open-source engines over four volumes. */
const baseline = amountOf('3000');
const striped = { fromGib: amountOf('400'), iops: amountOf('12000') } as const;
/** What gp3 reaches at RDS. */
const most = amountOf('64000');

/** gp3 has most of what io1 sells apart in its price. Catalogue 33. */
export const rdsPiopsGp3: Detector = {
  type: 'aws_rds_piops_gp3',
  summary: 'RDS database on io1 storage that would cost less on gp3',
  provider: 'aws',
  about: 'resource',
  detect(subject, { window }) {
    const storage = onDemandOf(subject, /^RDS:(?:Multi-AZ-)?PIOPS-Storage$/);
    const operations = onDemandOf(subject, /^RDS:(?:Multi-AZ-)?PIOPS$/);
    const sizeGib = provisioned(storage, subject.metadata.sizeGib);
    const iops = provisioned(operations, subject.metadata.iops);
    if (!/:db:/.test(subject.nativeId) || sizeGib <= 0n || iops <= 0n || iops > most) return null;
    const isStriped = isOpenSource(subject) && sizeGib >= striped.fromGib;
    // Below that they have what gp3 includes and no more: RDS refuses any number of operations.
    const isFixed = isOpenSource(subject) && !isStriped;
    if (isFixed && iops > baseline) return null;
    const extra = larger(iops - (isStriped ? striped.iops : baseline), 0n);
    const usage = [...storage, ...operations];
    const savings = spread(usage, monthlyCost(usage, window) - gp3Cost({ storage, operations, extra, iops }, window));
    if (savings.length === 0) return null;
    return {
      title: `Move the storage of the database ${subject.name} from io1 to gp3`,
      description:
        'With the same IOPS, gp3 storage costs less. The database stays available during the change, but can be ' +
        'slower until it is complete. If the workload is latency-sensitive, compare latencies first.',
      savings,
      confidence: 'medium',
      method: 'factor',
      evidence: { size_gib: numberOf(sizeGib), iops: numberOf(iops), extra_iops: numberOf(extra) },
      scripts: () => [
        {
          kind: 'aws_cli',
          title: 'Change the storage type',
          script: [
            sh`aws rds modify-db-instance --region=${subject.region} --db-instance-identifier=${shortId(subject.nativeId)}`,
            isFixed
              ? '--storage-type=gp3 --apply-immediately'
              : sh`--storage-type=gp3 --iops=${Math.ceil(numberOf(larger(iops, isStriped ? striped.iops : baseline)))} --apply-immediately`,
          ].join(' '),
          reversible: true,
        },
      ],
    };
  },
};

interface Io1 {
  readonly storage: readonly Usage[];
  readonly operations: readonly Usage[];
  readonly iops: bigint;
  /** Of these, those beyond gp3's price. */
  readonly extra: bigint;
}

function gp3Cost({ storage, operations, iops, extra }: Io1, window: Window): bigint {
  const perOperation = (monthlyCost(operations, window) * amountOf('1')) / iops;
  return percentOf(monthlyCost(storage, window), storageShare) + percentOf(times(perOperation, extra), operationShare);
}
