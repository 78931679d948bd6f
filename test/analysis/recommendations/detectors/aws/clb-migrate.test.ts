import { describe, expect, it } from 'vitest';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_clb_migrate;

describe('aws_clb_migrate', () => {
  const kind = (resource: string) =>
    find('aws_clb_migrate', {
      subject: { ...subject, nativeId: `arn:aws:elasticloadbalancing:eu-west-1:1:loadbalancer/${resource}` },
    });

  it('saves a tenth of the hours', () => {
    // 18 in 30 days are 18.2625 a month; 10 % of it are 1.82625.
    expect(find('aws_clb_migrate', { subject })).toMatchObject({
      saving: 1.82625,
      confidence: 'low',
      method: 'factor',
    });
  });

  it('leaves load balancers of the newer kinds, whatever they are called', () => {
    expect(kind('app/web/0123')).toBeNull();
    expect(kind('net/web/0123')).toBeNull();
    expect(kind('gwy/web/0123')).toBeNull();
    expect(kind('app')).not.toBeNull();
  });

  it('leaves what has no hours on demand', () => {
    expect(
      find('aws_clb_migrate', { subject: { ...subject, usage: [aUsage({ meter: 'DataProcessing-Bytes' })] } }),
    ).toBeNull();
  });
});
