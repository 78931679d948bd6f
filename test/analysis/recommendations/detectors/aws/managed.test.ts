import { describe, expect, it } from 'vitest';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

describe('aws_dynamodb_ia_class', () => {
  const { subject } = awsCases.aws_dynamodb_ia_class;

  it('skips tables with reserved capacity, which the IA class does not offer', () => {
    const reserved = aUsage({ meter: 'ReadCapacityUnit-Hrs', service: 'Amazon DynamoDB', kind: 'reserved', cost: '1' });
    expect(find('aws_dynamodb_ia_class', { subject: { ...subject, usage: [...subject.usage, reserved] } })).toBeNull();
  });

  const table = (storage: string, throughput: string) => {
    const service = 'Amazon DynamoDB';
    const usage = [
      aUsage({ meter: 'TimedStorage-ByteHrs', service, cost: storage }),
      aUsage({ meter: 'ReadCapacityUnit-Hrs', service, cost: throughput }),
    ];
    return find('aws_dynamodb_ia_class', { subject: { ...subject, usage } });
  };

  it('saves 60% of storage less 25% of throughput', () => {
    // 0.6 * 30 - 0.25 * 12 = 15 in 30 days, 15.21875 per month.
    expect(find('aws_dynamodb_ia_class', { subject })).toMatchObject({
      saving: 15.21875,
      confidence: 'medium',
      method: 'factor',
    });
  });

  it('skips tables whose storage costs at most half of their throughput', () => {
    expect(table('30', '59.9')).not.toBeNull();
    expect(table('30', '60')).toBeNull();
  });

  it('skips tables already in the IA class, and storage of other services', () => {
    const of = (meter: string, service: string) =>
      find('aws_dynamodb_ia_class', { subject: { ...subject, usage: [aUsage({ meter, service })] } });
    expect(of('IA-TimedStorage-ByteHrs', 'Amazon DynamoDB')).toBeNull();
    expect(of('TimedStorage-ByteHrs', 'Amazon Simple Storage Service')).toBeNull();
  });
});

describe('aws_kinesis_overprovisioned', () => {
  const { subject } = awsCases.aws_kinesis_overprovisioned;

  const stream = (hours: string, units: string) =>
    find('aws_kinesis_overprovisioned', {
      subject: {
        ...subject,
        usage: [
          aUsage({ meter: 'Storage-ShardHour', quantity: hours, cost: '122.4' }),
          aUsage({ meter: 'PutRequestPayloadUnits', quantity: units }),
        ],
      },
    });

  it('keeps twice the capacity in use', () => {
    // 7200 shard-hours have capacity for 1036800000 units; 10% are written, 20% stay: 80% of 124.185 per month are 99.348.
    expect(find('aws_kinesis_overprovisioned', { subject })).toMatchObject({
      saving: 99.348,
      confidence: 'low',
      method: 'upper_bound',
    });
  });

  it('keeps at least one shard', () => {
    // One of 10 shards: 90% of 124.185 are 111.7665.
    expect(stream('7200', '1')?.saving).toBe(111.7665);
    expect(stream('720', '1')).toBeNull();
    expect(stream('721', '1')).not.toBeNull();
  });

  it('skips a stream with 25% or more in use, and one with unknown usage', () => {
    expect(stream('7200', '259199999')).not.toBeNull();
    expect(stream('7200', '259200000')).toBeNull();
    expect(
      find('aws_kinesis_overprovisioned', { subject: { ...subject, usage: subject.usage.slice(0, 1) } }),
    ).toBeNull();
  });
});

describe('aws_sagemaker_notebook_always_on', () => {
  const { subject } = awsCases.aws_sagemaker_notebook_always_on;

  const ran = (quantity: string, meter = 'Notebk:ml.t3.medium') =>
    find('aws_sagemaker_notebook_always_on', { subject: { ...subject, usage: [aUsage({ meter, quantity })] } });

  it('saves 70% of the cost of an always-on notebook', () => {
    // 30 in 30 days are 30.4375 per month; 70% of that is 21.30625.
    expect(find('aws_sagemaker_notebook_always_on', { subject })).toMatchObject({
      saving: 21.30625,
      confidence: 'medium',
      method: 'factor',
    });
  });

  it('skips notebooks that run less than 22.8 hours per day, and other instances', () => {
    expect(ran('684')).not.toBeNull();
    expect(ran('683.9')).toBeNull();
    expect(ran('720', 'Host:ml.t3.medium')).toBeNull();
  });
});

describe('aws_logs_retention', () => {
  const { subject } = awsCases.aws_logs_retention;

  const kept = (metadata: object) => find('aws_logs_retention', { subject: { ...subject, metadata } });

  it('estimates at most the storage cost of logs older than 30 days', () => {
    // 30 of 100 days stay: 70% of 30.4375 per month are 21.30625.
    expect(find('aws_logs_retention', { subject })).toMatchObject({
      saving: 21.30625,
      confidence: 'low',
      method: 'upper_bound',
    });
  });

  it('skips groups with a retention or unknown retention, and storage of other services', () => {
    expect(kept({ retentionDays: 400, createdAt: '2026-01-01' })).toBeNull();
    expect(kept({ createdAt: '2026-01-01' })).toBeNull();
    const usage = [aUsage({ meter: 'TimedStorage-ByteHrs', service: 'Amazon Simple Storage Service' })];
    expect(find('aws_logs_retention', { subject: { ...subject, usage } })).toBeNull();
  });

  it('waits for more than 60 days', () => {
    expect(kept({ retentionDays: null, createdAt: '2026-09-20' })).toBeNull();
    expect(kept({ retentionDays: null, createdAt: '2026-09-19' })).not.toBeNull();
  });

  it('uses the name of the log group', () => {
    expect(find('aws_logs_retention', { subject })?.scripts()[0]?.script).toContain("--log-group-name='/shop/edge'");
  });
});

describe('aws_cloudtrail_duplicate', () => {
  const { subject } = awsCases.aws_cloudtrail_duplicate;

  it('saves the cost of all paid copies', () => {
    // 10 in 30 days are 10.145833.. per month.
    expect(find('aws_cloudtrail_duplicate', { subject })).toMatchObject({ saving: 10.145833, confidence: 'high' });
  });

  it('skips the free copy and data events', () => {
    const recorded = (meter: string) =>
      find('aws_cloudtrail_duplicate', { subject: { ...subject, usage: [aUsage({ meter })] } });
    expect(recorded('FreeEventsRecorded')).toBeNull();
    expect(recorded('DataEventsRecorded')).toBeNull();
  });
});
