import { sumAmounts } from '../../../../kit/money.ts';
import type { Detector } from '../../detector.ts';
import { amountOf, larger, numberOf, per, smaller, times } from '../../figures.ts';
import { spread } from '../../savings.ts';
import { monthlyCost, onDemandOf } from '../../subject.ts';
import { gp3Cost, gp3Price, included, modifyToGp3, provisioned } from './gp3.ts';

/** 0.08 of 0.10 a GiB in us-east-1 (EBS price page). */
const factor = 80;

/** gp2 sells performance by size; gp3 sells the same apart, for a fifth less a GiB. Catalogue 2. */
export const ebsGp2Gp3: Detector = {
  type: 'aws_ebs_gp2_gp3',
  summary: 'gp2 EBS volume that would cost less as gp3',
  provider: 'aws',
  about: 'resource',
  detect(subject, context) {
    const usage = onDemandOf(subject, /^EBS:VolumeUsage\.gp2$/);
    const sizeGib = provisioned(usage, subject.metadata.sizeGib);
    if (sizeGib <= 0n) return null;
    const own = per(sumAmounts(usage.map(({ cost }) => cost)), sumAmounts(usage.map(({ quantity }) => quantity)));
    const { price, isObserved } = gp3Price(context, subject, { price: own, percent: factor });
    // What gp2 gives at this size: 3 operations a second a GiB up to 16000, and 250 MiB/s beyond 150 GiB.
    const iops = smaller(larger(times(sizeGib, amountOf('3')), included.iops), amountOf('16000'));
    const throughputMibps = sizeGib > amountOf('150') ? amountOf('250') : included.throughputMibps;
    const target = { sizeGib, iops, throughputMibps };
    const savings = spread(usage, monthlyCost(usage, context.window) - gp3Cost(target, price));
    if (savings.length === 0) return null;
    return {
      title: `Change the volume ${subject.name} from gp2 to gp3`,
      description:
        'A gp3 volume with the same performance as gp2 at this size costs less. The change needs no downtime. It ' +
        'saves more if the data needs at most 3000 IOPS and 125 MiB/s.',
      savings,
      confidence: isObserved ? 'high' : 'medium',
      method: isObserved ? 'observed' : 'factor',
      evidence: {
        size_gib: numberOf(sizeGib),
        gp3_iops: numberOf(iops),
        gp3_throughput_mibps: numberOf(throughputMibps),
        gp3_price: numberOf(price),
      },
      scripts: () => [modifyToGp3(subject, target)],
    };
  },
};
