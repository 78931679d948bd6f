import type { Detector } from '../../detector.ts';
import { wholeOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { usageOf } from '../../subject.ts';

/** The first copy of management events is free; every other trail that records them too is billed. Catalogue 43. */
export const cloudtrailDuplicate: Detector = {
  type: 'aws_cloudtrail_duplicate',
  summary: 'Second copy of CloudTrail management events',
  provider: 'aws',
  about: 'scope',
  detect(subject, { window }) {
    const usage = usageOf(subject, /PaidEventsRecorded/);
    if (usage.length === 0) return null;
    return {
      title: `Record management events once in ${subject.region}${subject.name ? ` (${subject.name})` : ''}`,
      description:
        'More than one trail records the management events of this account in this region. The first copy is ' +
        'free; every further copy is billed. Often an organization trail was added, and the old trail of the ' +
        'account was kept.',
      savings: wholeOf(usage, window),
      confidence: 'high',
      method: 'observed',
      evidence: { region: subject.region, sub_account: subject.subAccount },
      scripts: () => [
        {
          kind: 'aws_cli',
          title: 'List the trails in this region',
          script: sh`aws cloudtrail describe-trails --region=${subject.region} --query=${'trailList[].[Name,HomeRegion,IsOrganizationTrail]'}`,
          reversible: true,
        },
      ],
    };
  },
};
