import { unusedCommitment } from './unused-commitment.ts';

/** An hourly spend committed to and not reached. Catalogue 45, 70 and 82. */
export const savingsPlanUnused = unusedCommitment({
  type: 'savings_plan_unused',
  summary: 'Partly unused savings plan',
  kind: 'unused_savings_plan',
  title: (name) => `Use or return the savings plan ${name}`,
  advice: {
    aws:
      'Share it with other accounts and move workloads onto what it covers. A plan purchased within the last 7 ' +
      'days and in this month can be returned. Purchase less next time.',
    azure:
      'Set its scope to shared and move workloads onto what it covers; it cannot be exchanged or returned. Turn ' +
      'off its renewal.',
    gcp: 'Share it across the billing account and move workloads onto what it covers. Turn off its renewal.',
    other: 'Move workloads onto what it covers, or make sure that it is not purchased again.',
  },
  // It can be neither changed nor cancelled: the facts and the advice are all there is to run.
  scripts: () => [],
});
