import { describe, expect, it } from 'vitest';
import { cloudtrailDuplicate } from '../../../../../src/analysis/recommendations/detectors/aws/cloudtrail-duplicate.ts';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_cloudtrail_duplicate;

describe('aws_cloudtrail_duplicate', () => {
  it('saves the cost of all paid copies', () => {
    // 10 in 30 days are 10.145833.. per month.
    expect(find(cloudtrailDuplicate, { subject })).toMatchObject({ saving: 10.145833, confidence: 'high' });
  });

  it('skips the free copy and data events', () => {
    const recorded = (meter: string) =>
      find(cloudtrailDuplicate, { subject: { ...subject, usage: [aUsage({ meter })] } });
    expect(recorded('FreeEventsRecorded')).toBeNull();
    expect(recorded('DataEventsRecorded')).toBeNull();
  });
});
