import type { Detector } from '../../detector.ts';
import { shareOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { usageOf } from '../../subject.ts';
import { ageInDays } from './age.ts';

/** Days that logs are usually looked at. */
const keptDays = 30;

/** Logs that are kept for ever. With a steady flow, of the days billed all but the last 30 could go. Catalogue 42. */
export const logsRetention: Detector = {
  type: 'aws_logs_retention',
  summary: 'CloudWatch log group without a retention period',
  provider: 'aws',
  about: 'resource',
  detect(subject, { window }) {
    const usage = usageOf(subject, /^TimedStorage-ByteHrs/).filter(({ service }) => /CloudWatch/.test(service));
    const age = ageInDays(subject.metadata.createdAt ?? subject.firstSeen, window);
    if (usage.length === 0 || subject.metadata.retentionDays !== null || age <= 2 * keptDays) return null;
    const name = subject.nativeId.replace(/^arn:aws[a-z-]*:logs:[^:]*:[^:]*:log-group:/, '').replace(/:\*$/, '');
    return {
      title: `Keep the logs of ${subject.name} for 30 days`,
      description:
        'This log group has no retention period: its logs are stored and billed forever. With a retention of 30 ' +
        'days, all older logs are deleted. Check which logs you are required to keep, and export those to S3.',
      savings: shareOf(usage, 100 - Math.ceil((keptDays * 1_000_000) / age) / 10_000, window),
      confidence: 'low',
      method: 'upper_bound',
      evidence: { retention_days: null, age_days: age },
      scripts: () => [
        {
          kind: 'aws_cli',
          title: 'Keep logs for 30 days; older ones are deleted',
          script: sh`aws logs put-retention-policy --region=${subject.region} --log-group-name=${name} --retention-in-days=30`,
          reversible: false,
        },
      ],
    };
  },
};
