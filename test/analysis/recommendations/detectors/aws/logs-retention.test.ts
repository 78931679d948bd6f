import { describe, expect, it } from 'vitest';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_logs_retention;

describe('aws_logs_retention', () => {
  const kept = (metadata: object) => find('aws_logs_retention', { subject: { ...subject, metadata } });

  it('saves at most what is older than 30 days', () => {
    // 30 of 100 days stay: 70 % of 30.4375 a month are 21.30625.
    expect(find('aws_logs_retention', { subject })).toMatchObject({
      saving: 21.30625,
      confidence: 'low',
      method: 'upper_bound',
    });
  });

  it('leaves groups with a retention, those nobody knows of, and storage of other services', () => {
    expect(kept({ retentionDays: 400, createdAt: '2026-01-01' })).toBeNull();
    expect(kept({ createdAt: '2026-01-01' })).toBeNull();
    const usage = [aUsage({ meter: 'TimedStorage-ByteHrs', service: 'Amazon Simple Storage Service' })];
    expect(find('aws_logs_retention', { subject: { ...subject, usage } })).toBeNull();
  });

  it('waits for more than 60 days', () => {
    expect(kept({ retentionDays: null, createdAt: '2026-09-20' })).toBeNull();
    expect(kept({ retentionDays: null, createdAt: '2026-09-19' })).not.toBeNull();
  });

  it('names the group as CloudWatch does', () => {
    expect(find('aws_logs_retention', { subject })?.scripts()[0]?.script).toContain("--log-group-name='/shop/edge'");
  });
});
