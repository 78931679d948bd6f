import { describe, expect, it } from 'vitest';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_ecr_no_lifecycle;

describe('aws_ecr_no_lifecycle', () => {
  it('saves about half', () => {
    // 30 in 30 days are 30.4375 a month; half of it is 15.21875.
    expect(find('aws_ecr_no_lifecycle', { subject })).toMatchObject({
      saving: 15.21875,
      confidence: 'low',
      method: 'factor',
    });
  });

  it('leaves repositories with a policy, and those nobody knows of', () => {
    expect(
      find('aws_ecr_no_lifecycle', { subject: { ...subject, metadata: { hasLifecyclePolicy: true } } }),
    ).toBeNull();
    expect(find('aws_ecr_no_lifecycle', { subject: { ...subject, metadata: {} } })).toBeNull();
    const usage = [aUsage({ meter: 'TimedStorage-ByteHrs', service: 'Amazon Simple Storage Service' })];
    expect(find('aws_ecr_no_lifecycle', { subject: { ...subject, usage } })).toBeNull();
  });

  it('names a repository with its path', () => {
    expect(find('aws_ecr_no_lifecycle', { subject })?.scripts()[0]?.script).toContain("--repository-name='team/app'");
  });
});
