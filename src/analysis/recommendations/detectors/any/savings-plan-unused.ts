import { unusedCommitment } from './unused-commitment.ts';

/** An hourly spend committed to and not reached. Catalogue 45, 70 and 82. */
export const savingsPlanUnused = unusedCommitment({
  type: 'savings_plan_unused',
  summary: 'Savings plan of which a part is not used',
  kind: 'unused_savings_plan',
  title: (name) => `Use or give back the savings plan ${name}`,
  advice: {
    aws:
      'Let other accounts share it and move work onto what it covers. One bought within the last 7 days and in this month can be ' +
      'returned. Buy less of it next time.',
    azure:
      'Widen its scope to shared and move work onto what it covers; it can be neither exchanged nor returned. Turn off its renewal.',
    gcp: 'Share it across the billing account and move work onto what it covers. Turn off its renewal.',
    other: 'Move work onto what it covers, or see that it is not bought again.',
  },
  // It can be neither changed nor cancelled: the facts and the advice are all there is to run.
  scripts: () => [],
});
