import { sumAmounts } from '../../../../kit/money.ts';
import type { Detector } from '../../detector.ts';
import { amountOf, larger, numberOf, per, percentOf, smaller } from '../../figures.ts';
import { spread } from '../../savings.ts';
import { monthlyCost, onDemandOf } from '../../subject.ts';
import { gp3Cost, gp3Price, included, modifyToGp3, provisioned } from './gp3.ts';

/** What every gp3 volume can do. */
const most = amountOf('16000');
/** 0.08 of 0.125 a GiB in us-east-1 (EBS price page). */
const factor = 64;

/** io1 is as durable as gp3, and up to 16000 operations a second does no more of them. io2 is more durable. Catalogue 3. */
export const ebsIo1Gp3: Detector = {
  type: 'aws_ebs_io1_gp3',
  summary: 'io1 EBS volume that would cost less as gp3',
  provider: 'aws',
  about: 'resource',
  detect(subject, context) {
    const storage = onDemandOf(subject, /^EBS:VolumeUsage\.piops$/);
    const operations = onDemandOf(subject, /^EBS:VolumeP-IOPS\.piops$/);
    const iops = provisioned(operations, subject.metadata.iops);
    const sizeGib = provisioned(storage, subject.metadata.sizeGib);
    if (sizeGib <= 0n || iops <= 0n || iops > most) return null;
    const own = per(sumAmounts(storage.map(({ cost }) => cost)), sumAmounts(storage.map(({ quantity }) => quantity)));
    const { price, isObserved } = gp3Price(context, subject, { price: own, percent: factor });
    // io1 moves up to 256 KiB an operation, 500 MiB/s at most.
    const throughputMibps = larger(smaller(percentOf(iops, 25), amountOf('500')), included.throughputMibps);
    const target = { sizeGib, iops: larger(iops, included.iops), throughputMibps };
    const usage = [...storage, ...operations];
    const savings = spread(usage, monthlyCost(usage, context.window) - gp3Cost(target, price));
    if (savings.length === 0) return null;
    return {
      title: `Change the volume ${subject.name} from io1 to gp3`,
      description:
        'A gp3 volume with the same IOPS and throughput costs less and is as durable. The change needs no ' +
        'downtime. If the workload is latency-sensitive, compare latencies first.',
      savings,
      confidence: isObserved ? 'high' : 'medium',
      method: isObserved ? 'observed' : 'factor',
      evidence: {
        size_gib: numberOf(sizeGib),
        iops: numberOf(iops),
        gp3_throughput_mibps: numberOf(throughputMibps),
        gp3_price: numberOf(price),
      },
      scripts: () => [modifyToGp3(subject, target)],
    };
  },
};
