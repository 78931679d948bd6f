import { describe, expect, it } from 'vitest';
import { aliasesOf, parseArn, serviceName, typeName } from '../../../../src/providers/aws/inventory/item.ts';
import { stateSince } from '../../../../src/providers/aws/inventory/machines.ts';
import { type Kind, openLedger } from '../../../../src/providers/aws/inventory/ledger.ts';
import { TryLater } from '../../../../src/providers/faults.ts';

describe('parseArn', () => {
  it.each([
    {
      text: 'arn:aws:ec2:eu-west-1:123:instance/i-0abcdef01',
      type: 'instance',
      id: 'i-0abcdef01',
      words: 'Instance',
      service: 'Amazon Elastic Compute Cloud',
    },
    {
      text: 'arn:aws:ec2:eu-west-1:123:vpc/vpc-0abcdef01',
      type: 'vpc',
      id: 'vpc-0abcdef01',
      words: 'VPC',
      service: 'Amazon Virtual Private Cloud',
    },
    {
      text: 'arn:aws:s3:::invoices',
      type: '',
      id: 'invoices',
      words: 'Bucket',
      service: 'Amazon Simple Storage Service',
    },
    {
      text: 'arn:aws:rds:eu-west-1:123:db:orders',
      type: 'db',
      id: 'orders',
      words: 'DB Instance',
      service: 'Amazon Relational Database Service',
    },
    {
      text: 'arn:aws:logs:eu-west-1:123:log-group:/shop/edge',
      type: 'log-group',
      id: '/shop/edge',
      words: 'Log Group',
      service: 'AmazonCloudWatch',
    },
    {
      text: 'arn:aws:sns:eu-west-1:123:alarms',
      type: '',
      id: 'alarms',
      words: 'Topic',
      service: 'Amazon Simple Notification Service',
    },
    {
      text: 'arn:aws-us-gov:elasticloadbalancing:us-gov-west-1:123:loadbalancer/app/shop/50dc6c495c0c9188',
      type: 'loadbalancer/app',
      id: 'shop/50dc6c495c0c9188',
      words: 'Load Balancer',
      service: 'Elastic Load Balancing',
    },
    {
      text: 'arn:aws:states:eu-west-1:123:stateMachine:checkout',
      type: 'stateMachine',
      id: 'checkout',
      words: 'State Machine',
      service: 'AWS Step Functions',
    },
    {
      text: 'arn:aws:memorydb:eu-west-1:123:cluster/sessions',
      type: 'cluster',
      id: 'sessions',
      words: 'Cluster',
      service: 'memorydb',
    },
  ])('parses $text', ({ text, type, id, words, service }) => {
    const arn = parseArn(` ${text} `);
    expect(arn).toMatchObject({ text, type, id });
    expect(arn && [typeName(arn), serviceName(arn)]).toEqual([words, service]);
  });

  it('returns null without a service', () => {
    expect([parseArn('i-0abc'), parseArn('arn:aws'), parseArn('')]).toEqual([null, null, null]);
  });

  it('derives aliases that bills may contain, but no ambiguous ones', () => {
    const aliases = (text: string) => aliasesOf(parseArn(text) ?? expect.fail());
    expect(aliases('arn:aws:ec2:eu-west-1:123:natgateway/nat-0123456789abcdef0')).toEqual(['nat-0123456789abcdef0']);
    expect(aliases('arn:aws:s3:::invoices')).toEqual(['invoices']);
    expect(aliases('arn:aws:lambda:eu-west-1:123:function:mail')).toEqual([]);
    expect(aliases('arn:aws:ec2:eu-west-1:123:key-pair/deploy')).toEqual([]);
  });
});

describe('state of an instance', () => {
  it('starts at the time in the EC2 transition reason, or at the launch', () => {
    const launched = new Date('2026-01-02T03:04:05Z');
    const stopped = (reason: string) =>
      stateSince({ State: { Name: 'stopped' }, StateTransitionReason: reason, LaunchTime: launched });
    expect(stopped('User initiated (2026-10-01 12:00:00 GMT)')).toBe('2026-10-01T12:00:00.000Z');
    expect(stopped('Client.UserInitiatedShutdown')).toBeUndefined();
    expect(stateSince({ State: { Name: 'running' }, LaunchTime: launched })).toBe('2026-01-02T03:04:05.000Z');
  });
});

describe('service missing in a region', () => {
  const gone = async () =>
    Promise.reject(new TryLater('AWS OpenSearch (X) cannot be reached (ENOTFOUND)', { networkCode: 'ENOTFOUND' }));
  const kind: Kind = { label: 'reservations' };

  it('is ignored if it is not available in every region', async () => {
    const ledger = openLedger();
    expect(await ledger.read({ ...kind, isRegional: true }, 'ap-southeast-7', gone)).toBeNull();
    expect(ledger.warnings()).toEqual([]);
  });

  it('is an error if it is available in every region', async () => {
    await expect(openLedger().read(kind, 'eu-west-1', gone)).rejects.toBeInstanceOf(TryLater);
  });
});
