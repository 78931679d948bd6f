import { describe, expect, it } from 'vitest';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_sagemaker_notebook_always_on;

describe('aws_sagemaker_notebook_always_on', () => {
  const ran = (quantity: string, meter = 'Notebk:ml.t3.medium') =>
    find('aws_sagemaker_notebook_always_on', { subject: { ...subject, usage: [aUsage({ meter, quantity })] } });

  it('saves 70 % of a notebook that always runs', () => {
    // 30 in 30 days are 30.4375 a month; 70 % of it are 21.30625.
    expect(find('aws_sagemaker_notebook_always_on', { subject })).toMatchObject({
      saving: 21.30625,
      confidence: 'medium',
      method: 'factor',
    });
  });

  it('leaves notebooks below 22.8 hours a day, and other machines', () => {
    expect(ran('684')).not.toBeNull();
    expect(ran('683.9')).toBeNull();
    expect(ran('720', 'Host:ml.t3.medium')).toBeNull();
  });
});
