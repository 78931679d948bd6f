import { describe, expect, it } from 'vitest';
import { sagemakerNotebook } from '../../../../../src/analysis/recommendations/detectors/aws/sagemaker-notebook.ts';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_sagemaker_notebook_always_on;

describe('aws_sagemaker_notebook_always_on', () => {
  const ran = (quantity: string, meter = 'Notebk:ml.t3.medium') =>
    find(sagemakerNotebook, { subject: { ...subject, usage: [aUsage({ meter, quantity })] } });

  it('saves 70 % of the cost of an always-on notebook', () => {
    // 30 in 30 days are 30.4375 per month; 70 % of that is 21.30625.
    expect(find(sagemakerNotebook, { subject })).toMatchObject({
      saving: 21.30625,
      confidence: 'medium',
      method: 'factor',
    });
  });

  it('skips notebooks that run less than 22.8 hours per day, and other instances', () => {
    expect(ran('684')).not.toBeNull();
    expect(ran('683.9')).toBeNull();
    expect(ran('720', 'Host:ml.t3.medium')).toBeNull();
  });
});
