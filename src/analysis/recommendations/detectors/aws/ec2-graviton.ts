import type { Detector } from '../../detector.ts';
import { hcl } from '../../script.ts';
import { gravitonOfAmd, gravitonOfIntel, targetsOf } from './families.ts';
import { boxUsage, instanceOf } from './instance.ts';
import { cheapestOf, priceCut } from './price-cut.ts';

/** AWS's own arm64 processors cost less than those it buys. Old families move to the current generation first. Catalogue 10. */
export const ec2Graviton: Detector = {
  type: 'aws_ec2_graviton',
  summary: 'Linux EC2 instance that could run on arm64 (Graviton)',
  provider: 'aws',
  about: 'resource',
  detect(subject, context) {
    const instance = instanceOf(subject);
    if (instance === null || !instance.isPlainLinux) return null;
    const ofIntel = targetsOf(instance.type, gravitonOfIntel);
    const { types, percent } = ofIntel.types.length > 0 ? ofIntel : targetsOf(instance.type, gravitonOfAmd);
    const found = cheapestOf(context, subject, { types, meterOf: boxUsage });
    if (found === null) return null;
    const { target, meters } = found;
    const cut = priceCut(context, { subject, usage: instance.usage, meters }, percent);
    if (cut === null) return null;
    return {
      title: `Run ${subject.name} on ${target} instead of ${instance.type}`,
      description:
        'The same size with an arm64 processor costs less. All software on the instance must be available for ' +
        'arm64, so this takes a new instance with an arm64 image and a test, not only a change of type.',
      ...cut,
      confidence: cut.method === 'observed' ? 'medium' : 'low',
      evidence: { instance_type: instance.type, target_type: target },
      scripts: () => [
        {
          kind: 'terraform',
          title: 'Start an arm64 instance to migrate to',
          script: hcl`data "aws_ssm_parameter" "arm64" {
  name = "/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-arm64"
}

resource "aws_instance" "arm64" {
  ami           = data.aws_ssm_parameter.arm64.value
  instance_type = ${target}
  tags          = { Name = ${subject.name} }
}`,
          reversible: true,
        },
      ],
    };
  },
};
