import { tagKeyName } from '../../../../kit/tag-key.ts';
import type { Detector } from '../../detector.ts';
import { shareOf } from '../../savings.ts';
import { sh, type Script } from '../../script.ts';
import type { Subject } from '../../subject.ts';
import { instanceOf, scalingGroupOf } from './instance.ts';

/** Spot against on demand, the careful figure: AWS's Cloud Intelligence Dashboards (others say up to 72 %). */
const factor = 55;

/** What a scaling group replaces anyway can run on capacity that AWS may take back. Catalogue 12. */
export const ec2Spot: Detector = {
  type: 'aws_ec2_spot',
  summary: 'On-demand instance in an Auto Scaling group',
  provider: 'aws',
  about: 'resource',
  detect(subject, { window }) {
    const instance = instanceOf(subject);
    const group = scalingGroupOf(subject);
    if (instance === null || group === null) return null;
    return {
      title: `Run ${subject.name} on Spot capacity`,
      description:
        'This instance belongs to an Auto Scaling group, which replaces interrupted instances. Spot capacity ' +
        'costs about half as much, and AWS reclaims it with a two-minute notice: keep some on-demand capacity if ' +
        'losing all instances at once would do harm.',
      savings: shareOf(instance.usage, factor, window),
      confidence: 'low',
      method: 'factor',
      evidence: { scaling_group: group, instance_type: instance.type },
      scripts: () => (isOfCluster(subject) ? [] : [mixedInstances(subject, group)]),
    };
  },
};

/** Whether a cluster's node group or node pool made it, which would undo a change of the scaling group behind it. */
function isOfCluster({ tags }: Subject): boolean {
  return Object.keys(tags).some((key) => /^(eks:|karpenter\.sh\/|k8s\.io\/|kubernetes\.io\/)/.test(tagKeyName(key)));
}

function mixedInstances(subject: Subject, group: string): Script {
  const of = sh`--region=${subject.region}`;
  const query = "--query='AutoScalingGroups[0].LaunchTemplate.LaunchTemplateId' --output=text";
  return {
    kind: 'aws_cli',
    title: 'Start new instances of the group on Spot capacity, except one on demand',
    script: [
      `template=$(aws autoscaling describe-auto-scaling-groups ${of} ` +
        sh`--auto-scaling-group-names=${group}` +
        ` ${query}) &&`,
      `aws autoscaling update-auto-scaling-group ${of} ` +
        sh`--auto-scaling-group-name=${group}` +
        ' --mixed-instances-policy="{\\"LaunchTemplate\\":{\\"LaunchTemplateSpecification\\":{\\"LaunchTemplateId\\":\\"$template\\",' +
        '\\"Version\\":\\"\\$Latest\\"}},\\"InstancesDistribution\\":{\\"OnDemandBaseCapacity\\":1,' +
        '\\"OnDemandPercentageAboveBaseCapacity\\":0,\\"SpotAllocationStrategy\\":\\"price-capacity-optimized\\"}}"',
    ].join('\n'),
    reversible: true,
  };
}
