import { amountOf, numberOf, per, perMonth } from '../../figures.ts';
import type { Detector } from '../../detector.ts';
import { spread } from '../../savings.ts';
import { hcl, sh } from '../../script.ts';
import { monthlyCost, onDemandOf, shortId } from '../../subject.ts';
import { gp3Cost, gp3Price } from './family-change.ts';

/** gp2 gives 3 operations a second for each GiB, at most 16,000, and from 150 GiB on up to 250 MiB a second. */
const mostIops = 16_000;
const fastFrom = 150;
const fastMibps = 250;

/** A gp3 volume as fast as the gp2 volume costs less. gp3's GiB is 80 % of gp2's. Catalogue 2. */
export const ebsGp2Gp3: Detector = {
  type: 'aws_ebs_gp2_gp3',
  summary: 'EBS volume of the type gp2',
  provider: 'aws',
  about: 'resource',
  detect(subject, context) {
    const usage = onDemandOf(subject, /^EBS:VolumeUsage\.gp2$/);
    const [first] = usage;
    if (first === undefined || first.quantity <= 0n) return null;
    const sizeGib =
      subject.metadata.sizeGib === undefined
        ? perMonth(first.quantity, context.window.days)
        : amountOf(String(subject.metadata.sizeGib));
    const size = Math.max(1, Math.round(numberOf(sizeGib)));
    const iops = Math.min(mostIops, Math.max(3000, 3 * size));
    const mibps = size > fastFrom ? fastMibps : 125;
    const { price, method } = gp3Price(subject, context, per(first.cost, first.quantity), 80);
    const savings = spread(usage, monthlyCost(usage, context.window) - gp3Cost(price, { sizeGib, iops, mibps }));
    if (savings.length === 0) return null;
    const id = shortId(subject.nativeId);
    return {
      title: `Change the volume ${subject.name} from gp2 to gp3`,
      description:
        'A gp3 volume with at least the operations and throughput of this gp2 volume costs less. The change is made while the ' +
        'volume is in use; it can be changed back after six hours.',
      savings,
      confidence: method === 'observed' ? 'high' : 'medium',
      method,
      evidence: { size_gib: size, iops, throughput_mibps: mibps },
      scripts: () => [
        {
          kind: 'aws_cli',
          title: 'Change the type in place',
          script: sh`aws ec2 modify-volume --region=${subject.region} --volume-id=${id} --volume-type=gp3 --iops=${iops} --throughput=${mibps}`,
          reversible: true,
        },
        {
          kind: 'terraform',
          title: 'In the resource of the volume',
          script: hcl`resource "aws_ebs_volume" "this" {
  # The other arguments stay as they are.
  type       = "gp3"
  iops       = ${iops}
  throughput = ${mibps}
}

import {
  to = aws_ebs_volume.this
  id = ${id}
}`,
          reversible: true,
        },
      ],
    };
  },
};
