import type { Detector } from '../../detector.ts';
import { amdOfIntel, targetsOf } from './families.ts';
import { boxUsage, instanceOf } from './instance.ts';
import { cheapestOf, priceCut } from './price-cut.ts';
import { resizeInstance } from './resize.ts';

/** AMD's processors do the same for less, without a new image. Catalogue 11. */
export const ec2Amd: Detector = {
  type: 'aws_ec2_amd',
  summary: 'Intel EC2 instance with a cheaper AMD equivalent',
  provider: 'aws',
  about: 'resource',
  detect(subject, context) {
    const instance = instanceOf(subject);
    if (instance === null) return null;
    const { types, percent } = targetsOf(instance.type, amdOfIntel);
    const found = cheapestOf(context, subject, { types, meterOf: instance.isPlainLinux ? boxUsage : null });
    // Only the machine's part of the price falls, not a licence's: no share of that is known.
    if (found === null || instance.isLicensed) return null;
    const { target, meters } = found;
    const cut = priceCut(context, { subject, usage: instance.usage, meters }, percent);
    if (cut === null) return null;
    return {
      title: `Move ${subject.name} from ${instance.type} to ${target}`,
      description:
        'The same instance size with an AMD processor costs less and runs the same programs. If the workload ' +
        'depends on single-core speed or AVX-512, compare performance first.',
      ...cut,
      evidence: { instance_type: instance.type, target_type: target },
      scripts: () => resizeInstance(subject, instance.id, target),
    };
  },
};
