import { sumAmounts } from '../../../../kit/money.ts';
import type { Detector } from '../../detector.ts';
import { nonProductionTag } from '../../environment.ts';
import { amountOf, numberOf } from '../../figures.ts';
import { shareOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { officeHoursSaving, weekendDays } from '../always-on.ts';
import { idleDays } from './age.ts';
import { instanceOf, scalingGroupOf } from './instance.ts';

/** Of the hours of a week, rounded down, so that a reboot does not hide it. */
const alwaysOn = { of: 160n, in: 168n };

/** A machine that people work with needs to run when they work. Catalogue 13. */
export const nonprodSchedule: Detector = {
  type: 'aws_nonprod_schedule',
  summary: 'Non-production EC2 instance that runs at night and on weekends',
  provider: 'aws',
  about: 'resource',
  endsUsage: true,
  detect(subject, { window }) {
    const environment = nonProductionTag(subject);
    const instance = instanceOf(subject);
    // A scaling group starts what somebody stops anew.
    if (environment === null || instance === null || scalingGroupOf(subject) !== null) return null;
    const hours = sumAmounts(
      subject.usage.filter(({ meter }) => meter.startsWith('BoxUsage:')).map((each) => each.quantity),
    );
    const weekendHours = sumAmounts(instance.usage.map((each) => each.weekendQuantity));
    if (window.days < idleDays || !fills(hours, window.days) || !fills(weekendHours, weekendDays(window))) return null;
    return {
      title: `Stop ${subject.name} outside working hours`,
      description:
        'The tags say that this instance is not in production, but it ran day and night, including weekends. ' +
        'Running it 50 hours per week costs 70% less; its disks are kept and still billed.',
      savings: shareOf(instance.usage, officeHoursSaving, window),
      confidence: 'medium',
      method: 'factor',
      evidence: { environment, hours: numberOf(hours), weekend_hours: numberOf(weekendHours) },
      scripts: () => [
        {
          kind: 'aws_cli',
          title: 'Tag it for the Instance Scheduler on AWS, which must be deployed with a schedule of this name',
          script: sh`aws ec2 create-tags --region=${subject.region} --resources=${instance.id} --tags=Key=Schedule,Value=office-hours`,
          reversible: true,
        },
        {
          kind: 'aws_cli',
          title: 'Stop it until it is needed',
          script: sh`aws ec2 stop-instances --region=${subject.region} --instance-ids=${instance.id}`,
          reversible: true,
        },
      ],
    };
  },
};

function fills(hours: bigint, days: number): boolean {
  return hours * alwaysOn.in >= amountOf(String(24 * days)) * alwaysOn.of;
}
