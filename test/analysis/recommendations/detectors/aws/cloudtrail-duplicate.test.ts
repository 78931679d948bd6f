import { describe, expect, it } from 'vitest';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_cloudtrail_duplicate;

describe('aws_cloudtrail_duplicate', () => {
  it('saves all paid copies', () => {
    // 10 in 30 days are 10.145833.. a month.
    expect(find('aws_cloudtrail_duplicate', { subject })).toMatchObject({ saving: 10.145833, confidence: 'high' });
  });

  it('leaves the free copy and data events', () => {
    const recorded = (meter: string) =>
      find('aws_cloudtrail_duplicate', { subject: { ...subject, usage: [aUsage({ meter })] } });
    expect(recorded('FreeEventsRecorded')).toBeNull();
    expect(recorded('DataEventsRecorded')).toBeNull();
  });
});
