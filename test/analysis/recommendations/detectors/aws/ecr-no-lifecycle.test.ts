import { describe, expect, it } from 'vitest';
import { ecrNoLifecycle } from '../../../../../src/analysis/recommendations/detectors/aws/ecr-no-lifecycle.ts';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_ecr_no_lifecycle;

describe('aws_ecr_no_lifecycle', () => {
  it('saves half of the storage cost', () => {
    // 30 in 30 days are 30.4375 per month; half of that is 15.21875.
    expect(find(ecrNoLifecycle, { subject })).toMatchObject({ saving: 15.21875, confidence: 'low', method: 'factor' });
  });

  it('skips repositories with a lifecycle policy or unknown policy, and storage of other services', () => {
    expect(find(ecrNoLifecycle, { subject: { ...subject, metadata: { hasLifecyclePolicy: true } } })).toBeNull();
    expect(find(ecrNoLifecycle, { subject: { ...subject, metadata: {} } })).toBeNull();
    const usage = [aUsage({ meter: 'TimedStorage-ByteHrs', service: 'Amazon Simple Storage Service' })];
    expect(find(ecrNoLifecycle, { subject: { ...subject, usage } })).toBeNull();
  });

  it('uses the repository name with its path', () => {
    expect(find(ecrNoLifecycle, { subject })?.scripts()[0]?.script).toContain("--repository-name='team/app'");
  });
});
