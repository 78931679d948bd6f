import { describe, expect, it } from 'vitest';
import { clbMigrate } from '../../../../../src/analysis/recommendations/detectors/aws/clb-migrate.ts';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_clb_migrate;

describe('aws_clb_migrate', () => {
  const kind = (resource: string) =>
    find(clbMigrate, {
      subject: { ...subject, nativeId: `arn:aws:elasticloadbalancing:eu-west-1:1:loadbalancer/${resource}` },
    });

  it('saves a tenth of the cost of the hours', () => {
    // 18 in 30 days are 18.2625 per month; 10 % of that is 1.82625.
    expect(find(clbMigrate, { subject })).toMatchObject({ saving: 1.82625, confidence: 'low', method: 'factor' });
  });

  it('skips newer kinds of load balancers, whatever their name', () => {
    expect(kind('app/web/0123')).toBeNull();
    expect(kind('net/web/0123')).toBeNull();
    expect(kind('gwy/web/0123')).toBeNull();
    expect(kind('app')).not.toBeNull();
  });

  it('skips load balancers without on-demand hours', () => {
    expect(
      find(clbMigrate, { subject: { ...subject, usage: [aUsage({ meter: 'DataProcessing-Bytes' })] } }),
    ).toBeNull();
  });
});
