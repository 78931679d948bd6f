import { describe, expect, it } from 'vitest';
import { logsRetention } from '../../../../../src/analysis/recommendations/detectors/aws/logs-retention.ts';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_logs_retention;

describe('aws_logs_retention', () => {
  const kept = (metadata: object) => find(logsRetention, { subject: { ...subject, metadata } });

  it('estimates at most the storage cost of logs older than 30 days', () => {
    // 30 of 100 days stay: 70 % of 30.4375 per month are 21.30625.
    expect(find(logsRetention, { subject })).toMatchObject({
      saving: 21.30625,
      confidence: 'low',
      method: 'upper_bound',
    });
  });

  it('skips groups with a retention or unknown retention, and storage of other services', () => {
    expect(kept({ retentionDays: 400, createdAt: '2026-01-01' })).toBeNull();
    expect(kept({ createdAt: '2026-01-01' })).toBeNull();
    const usage = [aUsage({ meter: 'TimedStorage-ByteHrs', service: 'Amazon Simple Storage Service' })];
    expect(find(logsRetention, { subject: { ...subject, usage } })).toBeNull();
  });

  it('waits for more than 60 days', () => {
    expect(kept({ retentionDays: null, createdAt: '2026-09-20' })).toBeNull();
    expect(kept({ retentionDays: null, createdAt: '2026-09-19' })).not.toBeNull();
  });

  it('uses the name of the log group', () => {
    expect(find(logsRetention, { subject })?.scripts()[0]?.script).toContain("--log-group-name='/shop/edge'");
  });
});
