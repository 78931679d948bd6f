import { amountOf, numberOf, perMonth } from '../../figures.ts';
import type { Detector } from '../../detector.ts';
import { shareOf } from '../../savings.ts';
import { sh } from '../../script.ts';
import { onDemandOf, shortId } from '../../subject.ts';

/** Hours of a day from which a notebook never rests, and what 50 hours of 168 save, in percent. */
const alwaysHours = '22.8';
const saved = 70;

/** A notebook that runs while nobody works in it. Catalogue 39. */
export const sagemakerNotebook: Detector = {
  type: 'aws_sagemaker_notebook_always_on',
  summary: 'SageMaker notebook that runs day and night',
  provider: 'aws',
  about: 'resource',
  endsUsage: true,
  detect(subject, { window }) {
    const usage = onDemandOf(subject, /^Notebk:ml\./);
    const hours = usage.reduce((sum, each) => sum + each.quantity, 0n);
    if (usage.length === 0 || hours < amountOf(alwaysHours) * BigInt(window.days)) return null;
    return {
      title: `Stop the notebook ${subject.name} when it is not in use`,
      description:
        'This notebook runs day and night. Stopped outside working hours, it costs about 70% less; its disk and ' +
        'data are kept. A lifecycle configuration can stop it after an idle hour.',
      savings: shareOf(usage, saved, window),
      confidence: 'medium',
      method: 'factor',
      evidence: { hours_per_month: numberOf(perMonth(hours, window.days)) },
      scripts: () => [
        {
          kind: 'aws_cli',
          title: 'Stop it now',
          script: sh`aws sagemaker stop-notebook-instance --region=${subject.region} --notebook-instance-name=${shortId(subject.nativeId)}`,
          reversible: true,
        },
      ],
    };
  },
};
