import { amountOf, numberOf, per, perMonth } from '../../figures.ts';
import type { Detector } from '../../detector.ts';
import { spread } from '../../savings.ts';
import { sh } from '../../script.ts';
import { monthlyCost, onDemandOf, shortId } from '../../subject.ts';
import { gp3Cost, gp3Price } from './family-change.ts';

/** Most operations a second of a gp3 volume. */
const mostIops = 16_000;
/** A gp3 volume takes a quarter MiB a second for each operation, at most 1,000. */
const mostMibps = 1000;

/** Provisioned operations that gp3 can give too, at a fraction. gp3's GiB is 64 % of io1's. Catalogue 3. */
export const ebsIo1Gp3: Detector = {
  type: 'aws_ebs_io1_gp3',
  summary: 'EBS volume with provisioned IOPS that gp3 reaches',
  provider: 'aws',
  about: 'resource',
  detect(subject, context) {
    const usage = onDemandOf(subject, /^EBS:Volume(Usage|P-IOPS)\.(piops|io2)/);
    const storage = usage.find(({ meter }) => meter.startsWith('EBS:VolumeUsage'));
    const { iops } = subject.metadata;
    if (storage === undefined || storage.quantity <= 0n || iops === undefined || iops > mostIops) return null;
    const sizeGib =
      subject.metadata.sizeGib === undefined
        ? perMonth(storage.quantity, context.window.days)
        : amountOf(String(subject.metadata.sizeGib));
    const mibps = subject.metadata.throughputMibps ?? Math.min(mostMibps, Math.max(125, Math.round(iops / 4)));
    const { price, method } = gp3Price(subject, context, per(storage.cost, storage.quantity), 64);
    const cost = gp3Cost(price, { sizeGib, iops, mibps });
    const savings = spread(usage, monthlyCost(usage, context.window) - cost);
    if (savings.length === 0) return null;
    return {
      title: `Change the volume ${subject.name} from provisioned IOPS to gp3`,
      description:
        'A gp3 volume reaches the operations that are provisioned here. Its latency is that of an SSD, but is not promised to ' +
        'be below a millisecond: look into what the application needs.',
      savings,
      confidence: 'medium',
      method,
      evidence: { iops, throughput_mibps: mibps, size_gib: numberOf(sizeGib) },
      scripts: () => [
        {
          kind: 'aws_cli',
          title: 'Change the type in place',
          script: sh`aws ec2 modify-volume --region=${subject.region} --volume-id=${shortId(subject.nativeId)} --volume-type=gp3 --iops=${Math.max(3000, iops)} --throughput=${mibps}`,
          reversible: true,
        },
      ],
    };
  },
};
