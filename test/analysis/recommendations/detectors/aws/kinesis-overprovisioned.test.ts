import { describe, expect, it } from 'vitest';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_kinesis_overprovisioned;

describe('aws_kinesis_overprovisioned', () => {
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

  it('keeps twice what is written', () => {
    // 7200 shard-hours take 1036800000 units; 10 % are written, 20 % stay: 80 % of 124.185 a month are 99.348.
    expect(find('aws_kinesis_overprovisioned', { subject })).toMatchObject({
      saving: 99.348,
      confidence: 'low',
      method: 'upper_bound',
    });
  });

  it('keeps one shard', () => {
    // One of 10 shards: 90 % of 124.185 are 111.7665.
    expect(stream('7200', '1')?.saving).toBe(111.7665);
    expect(stream('720', '1')).toBeNull();
    expect(stream('721', '1')).not.toBeNull();
  });

  it('leaves a stream from a quarter on, and one of which nothing is known', () => {
    expect(stream('7200', '259199999')).not.toBeNull();
    expect(stream('7200', '259200000')).toBeNull();
    expect(
      find('aws_kinesis_overprovisioned', { subject: { ...subject, usage: subject.usage.slice(0, 1) } }),
    ).toBeNull();
  });
});
