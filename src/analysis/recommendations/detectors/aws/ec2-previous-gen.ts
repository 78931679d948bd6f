import type { Detector } from '../../detector.ts';
import { currentOf, targetsOf } from './families.ts';
import { boxUsage, instanceOf } from './instance.ts';
import { cheapestOf, priceCut } from './price-cut.ts';
import { resizeInstance } from './resize.ts';

/** The current generation does more for less. Catalogue 9. */
export const ec2PreviousGen: Detector = {
  type: 'aws_ec2_previous_gen',
  summary: 'EC2 instance of a previous generation',
  provider: 'aws',
  about: 'resource',
  detect(subject, context) {
    const instance = instanceOf(subject);
    if (instance === null) return null;
    const { types, percent } = targetsOf(instance.type, currentOf);
    // One price is observed for all operating systems, so it is right for plain Linux alone.
    const found = cheapestOf(context, subject, { types, meterOf: instance.isPlainLinux ? boxUsage : null });
    if (found === null) return null;
    const { target, meters } = found;
    const cut = priceCut(context, { subject, usage: instance.usage, meters }, percent);
    if (cut === null) return null;
    return {
      title: `Move ${subject.name} from ${instance.type} to ${target}`,
      description:
        'The current generation costs less at the same size and is faster; its arm64 families (Graviton) cost ' +
        'even less. The machine image needs ENA and NVMe drivers, which all images of recent years include.',
      ...cut,
      evidence: { instance_type: instance.type, target_type: target },
      scripts: () => resizeInstance(subject, instance.id, target),
    };
  },
};
