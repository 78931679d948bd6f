import { describe, expect, it } from 'vitest';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_dynamodb_ia_class;

describe('aws_dynamodb_ia_class', () => {
  it('leaves tables with reserved capacity, which the other class has none of', () => {
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

  it('saves 60 % of storage less 25 % of throughput', () => {
    // 0.6 * 30 - 0.25 * 12 = 15 in 30 days, 15.21875 in a month.
    expect(find('aws_dynamodb_ia_class', { subject })).toMatchObject({
      saving: 15.21875,
      confidence: 'medium',
      method: 'factor',
    });
  });

  it('leaves tables whose storage costs no more than half of their throughput', () => {
    expect(table('30', '59.9')).not.toBeNull();
    expect(table('30', '60')).toBeNull();
  });

  it('leaves tables of the class, and storage of other services', () => {
    const of = (meter: string, service: string) =>
      find('aws_dynamodb_ia_class', { subject: { ...subject, usage: [aUsage({ meter, service })] } });
    expect(of('IA-TimedStorage-ByteHrs', 'Amazon DynamoDB')).toBeNull();
    expect(of('TimedStorage-ByteHrs', 'Amazon Simple Storage Service')).toBeNull();
  });
});
