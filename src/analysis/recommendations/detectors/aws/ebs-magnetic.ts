import { per, perMonth, times } from '../../figures.ts';
import type { Detector } from '../../detector.ts';
import { spread } from '../../savings.ts';
import { sh } from '../../script.ts';
import { monthlyCost, onDemandOf, shortId } from '../../subject.ts';

/** Magnetic volumes of the previous generation: gp3 is faster, and its price holds the requests. Only where the account's own
 *  price of gp3 makes it cheaper: by list prices storage alone is not. Catalogue 4. */
export const ebsMagnetic: Detector = {
  type: 'aws_ebs_magnetic',
  summary: 'Magnetic EBS volume whose requests cost more than a gp3 volume',
  provider: 'aws',
  about: 'resource',
  detect(subject, context) {
    const usage = onDemandOf(subject, /^EBS:Volume(Usage|IOUsage)$/);
    const storage = usage.find(({ meter }) => meter === 'EBS:VolumeUsage');
    if (storage === undefined || storage.quantity <= 0n) return null;
    const observed = context.prices.priceOf(subject, 'EBS:VolumeUsage.gp3');
    // 0.08 for gp3 and 0.05 for magnetic storage, by list price in us-east-1.
    const price = observed ?? per(storage.cost * 8n, storage.quantity * 5n);
    const gp3 = times(price, perMonth(storage.quantity, context.window.days));
    const savings = spread(usage, monthlyCost(usage, context.window) - gp3);
    if (savings.length === 0) return null;
    return {
      title: `Change the magnetic volume ${subject.name} to gp3`,
      description:
        'Each request to a magnetic volume is billed. A gp3 volume of the same size is faster, and costs less ' +
        'than storage and requests together do now.',
      savings,
      confidence: observed === null ? 'medium' : 'high',
      method: observed === null ? 'factor' : 'observed',
      evidence: { volume_type: 'standard' },
      scripts: () => [
        {
          kind: 'aws_cli',
          title: 'Change the volume type in place',
          script: sh`aws ec2 modify-volume --region=${subject.region} --volume-id=${shortId(subject.nativeId)} --volume-type=gp3`,
          reversible: true,
        },
      ],
    };
  },
};
