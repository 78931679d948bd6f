import { sumAmounts } from '../../../../kit/money.ts';
import { tagKeyName } from '../../../../kit/tag-key.ts';
import { detectorsOf, reversible, type Context, type Found } from '../detector.ts';
import { amountOf, numberOf } from '../figures.ts';
import { nonProductionTag, officeHoursSaving, weekendDays } from '../nonproduction.ts';
import { hcl, sh, type Script } from '../script.ts';
import { onDemandOf, shareOf, shortId, unitsOf, usageOf, wholeOf, type Subject, type Usage } from '../subject.ts';
import { amdOf, currentOf, gravitonOf, moveOf, type Families } from './families.ts';

export const awsEc2 = detectorsOf('aws', [
  {
    type: 'aws_ec2_previous_gen',
    summary: 'EC2 instance of a previous generation',
    title: ({ name }, { instance_type, target_type }) => `Move ${name} from ${instance_type} to ${target_type}`,
    description:
      'The current generation costs less at the same size and is faster; its arm64 families (Graviton) cost ' +
      'even less. The AMI needs ENA and NVMe drivers, which all AMIs of recent years include.',
    confidence: 'medium',
    method: 'factor',
    find: (subject, context) => moveInstance(subject, context, currentOf),
  },
  {
    type: 'aws_ec2_amd',
    summary: 'Intel EC2 instance with a cheaper AMD equivalent',
    title: ({ name }, { instance_type, target_type }) => `Move ${name} from ${instance_type} to ${target_type}`,
    description:
      'The same instance size with an AMD processor costs less and runs the same programs. If the workload ' +
      'depends on single-core speed or AVX-512, compare performance first.',
    confidence: 'medium',
    method: 'factor',
    // Only the machine's part of the price falls, not a license's, and the share of that is unknown.
    find: (subject, context) => (instanceOf(subject)?.isLicensed ? null : moveInstance(subject, context, amdOf)),
  },
  {
    // Old families move to the current generation first.
    type: 'aws_ec2_graviton',
    summary: 'Linux EC2 instance that could run on arm64 (Graviton)',
    title: ({ name }, { instance_type, target_type }) => `Run ${name} on ${target_type} instead of ${instance_type}`,
    description:
      'The same size with an arm64 processor costs less. All software on the instance must be available for ' +
      'arm64, so this takes a new instance with an arm64 image and a test, not only a change of type.',
    confidence: 'low',
    method: 'factor',
    find(subject, context) {
      const instance = instanceOf(subject);
      const move = instance?.isPlainLinux ? moveOf(context, movable(subject, instance), gravitonOf) : null;
      if (instance === null || move === null) return null;
      const { target, savings, method } = move;
      return {
        savings,
        method,
        confidence: method === 'observed' ? 'medium' : 'low',
        evidence: { instance_type: instance.type, target_type: target },
        scripts: () => [arm64Instance(subject, target)],
      };
    },
  },
  {
    type: 'aws_ec2_spot',
    summary: 'On-demand instance in an Auto Scaling group',
    title: ({ name }) => `Run ${name} on Spot capacity`,
    description:
      'This instance belongs to an Auto Scaling group, which replaces interrupted instances. Spot capacity ' +
      'costs about half as much, and AWS reclaims it with a two-minute notice: keep some on-demand capacity if ' +
      'losing all instances at once would do harm.',
    confidence: 'low',
    method: 'factor',
    find(subject, { window }) {
      const instance = instanceOf(subject);
      const group = scalingGroupOf(subject);
      if (instance === null || group === null) return null;
      return {
        // The conservative figure of AWS's Cloud Intelligence Dashboards; other sources state up to 72%.
        savings: shareOf(instance.usage, 55, window),
        evidence: { scaling_group: group, instance_type: instance.type },
        scripts: () => (isOfCluster(subject) ? [] : [mixedInstances(subject, group)]),
      };
    },
  },
  {
    type: 'aws_ec2_unlimited_credits',
    summary: 'Burstable instance that is billed for surplus credits on at least 14 days',
    title: ({ name }) => `Stop the surplus CPU credit charges of ${name}`,
    description:
      'This burstable instance uses more CPU than its size earns credits for, and the surplus is billed. With ' +
      'standard credits it is throttled instead. If it needs the CPU, a larger size or a non-burstable family ' +
      'costs less than the surplus.',
    confidence: 'medium',
    method: 'upper_bound',
    find(subject, { window }) {
      const usage = usageOf(subject, /^CPUCredits:/);
      const days = Math.max(0, ...usage.map((each) => each.days));
      // On fewer days it is a burst.
      if (days < 14 || !shortId(subject.nativeId).startsWith('i-')) return null;
      return {
        savings: wholeOf(usage, window),
        evidence: { days_with_surplus: days, surplus_vcpu_hours: numberOf(unitsOf(usage)) },
      };
    },
    script: reversible(
      'Use standard credits',
      ({ region }, id) =>
        sh`aws ec2 modify-instance-credit-specification --region=${region} --instance-credit-specifications=${JSON.stringify([{ InstanceId: id, CpuCredits: 'standard' }])}`,
    ),
  },
  {
    type: 'aws_nonprod_schedule',
    summary: 'Non-production EC2 instance that runs at night and on weekends',
    endsUsage: true,
    title: ({ name }) => `Stop ${name} outside working hours`,
    description:
      'The tags mark this instance as non-production, but it ran day and night, including weekends. ' +
      'Running it 50 hours per week costs 70% less; its disks are kept and still billed.',
    confidence: 'medium',
    method: 'factor',
    find(subject, { window }) {
      const environment = nonProductionTag(subject);
      const instance = instanceOf(subject);
      // A scaling group restarts stopped instances.
      if (environment === null || instance === null || scalingGroupOf(subject) !== null) return null;
      const hours = unitsOf(subject.usage.filter(({ meter }) => meter.startsWith('BoxUsage:')));
      const weekendHours = sumAmounts(instance.usage.map((each) => each.weekendQuantity));
      const ranAlways = isAlwaysOn(hours, window.days) && isAlwaysOn(weekendHours, weekendDays(window));
      if (window.days < 14 || !ranAlways) return null;
      return {
        savings: shareOf(instance.usage, officeHoursSaving, window),
        evidence: { environment, hours: numberOf(hours), weekend_hours: numberOf(weekendHours) },
        scripts: () => scheduleScripts(subject, instance.id),
      };
    },
  },
]);

/** An EC2 instance with on-demand usage. */
interface Instance {
  /** `i-0ab…` */
  readonly id: string;
  /** `m5.large` */
  readonly type: string;
  readonly usage: readonly Usage[];
  /** Neither Windows nor a licensed Linux: AWS has one usage type for all of them, and only the description shows which it
   *  is. */
  readonly isPlainLinux: boolean;
  /** Whether the price includes Windows, a licensed Linux or a database. */
  readonly isLicensed: boolean;
}

/** Returns the instance of a subject. Null for anything else, for usage only on commitments or Spot, and for an instance
 *  whose type changed in the window. */
function instanceOf(subject: Subject): Instance | null {
  const id = shortId(subject.nativeId);
  const usage = onDemandOf(subject, /^BoxUsage:/);
  const types = new Set(usage.map(({ meter }) => meter.slice('BoxUsage:'.length)));
  const [type] = types;
  if (!id.startsWith('i-') || type === undefined || types.size > 1) return null;
  const texts = usage.map(({ description }) => description).join(' ');
  const isLicensed =
    subject.metadata.platform === 'windows' || /\b(Windows|RHEL|Red Hat|SUSE|SQL|Ubuntu Pro)\b/i.test(texts);
  return { id, type, usage, isLicensed, isPlainLinux: !isLicensed && /Linux/.test(texts) };
}

function movable(subject: Subject, { usage, type, isPlainLinux }: Instance) {
  // One price is observed for all operating systems, so it only applies to plain Linux.
  return { subject, usage, type, meterOf: isPlainLinux ? (other: string) => `BoxUsage:${other}` : null };
}

function moveInstance(subject: Subject, context: Context, families: Families): Found | null {
  const instance = instanceOf(subject);
  const move = instance && moveOf(context, movable(subject, instance), families);
  if (instance === null || move === null) return null;
  const { target, ...cut } = move;
  return {
    ...cut,
    evidence: { instance_type: instance.type, target_type: target },
    // A scaling group would replace it: the launch template must be changed instead.
    scripts: () => (scalingGroupOf(subject) === null ? [resizeInstance(subject, instance.id, target)] : []),
  };
}

/** Returns the Auto Scaling group, EKS node group or Karpenter pool that created an instance; null if unknown. */
function scalingGroupOf(subject: Subject): string | null {
  return subject.metadata.scalingGroup ?? subject.tags['aws:autoscaling:groupName'] ?? null;
}

/** Returns whether a cluster's node group or node pool created it, which would undo changes to the scaling group behind it. */
function isOfCluster({ tags }: Subject): boolean {
  return Object.keys(tags).some((key) => /^(eks:|karpenter\.sh\/|k8s\.io\/|kubernetes\.io\/)/.test(tagKeyName(key)));
}

/** Returns whether it runs at least 160 of 168 hours per week, which leaves time for reboots. */
function isAlwaysOn(hours: bigint, days: number): boolean {
  return hours * 168n >= amountOf(String(24 * days)) * 160n;
}

function resizeInstance({ region }: Subject, id: string, type: string): Script {
  return {
    kind: 'aws_cli',
    title: 'Stop the instance, change its type and start it again',
    script: [
      sh`aws ec2 stop-instances --region=${region} --instance-ids=${id} &&`,
      sh`aws ec2 wait instance-stopped --region=${region} --instance-ids=${id} &&`,
      sh`aws ec2 modify-instance-attribute --region=${region} --instance-id=${id} --instance-type=Value=${type} &&`,
      sh`aws ec2 start-instances --region=${region} --instance-ids=${id}`,
    ].join('\n'),
    reversible: true,
  };
}

function arm64Instance({ name }: Subject, type: string): Script {
  return {
    kind: 'terraform',
    title: 'Start an arm64 instance to migrate to',
    script: hcl`data "aws_ssm_parameter" "arm64" {
  name = "/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-arm64"
}

resource "aws_instance" "arm64" {
  ami           = data.aws_ssm_parameter.arm64.value
  instance_type = ${type}
  tags          = { Name = ${name} }
}`,
    reversible: true,
  };
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

function scheduleScripts({ region }: Subject, id: string): Script[] {
  return [
    {
      kind: 'aws_cli',
      title: 'Tag it for the Instance Scheduler on AWS, which must be deployed with a schedule of this name',
      script: sh`aws ec2 create-tags --region=${region} --resources=${id} --tags=Key=Schedule,Value=office-hours`,
      reversible: true,
    },
    {
      kind: 'aws_cli',
      title: 'Stop it until it is needed',
      script: sh`aws ec2 stop-instances --region=${region} --instance-ids=${id}`,
      reversible: true,
    },
  ];
}
