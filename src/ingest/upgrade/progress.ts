import { openProgressBar, type ProgressBar } from '../../kit/text/progress-bar.ts';

/** Progress of an upgrade, in billing months. */
export interface UpgradeProgress {
  readonly done: number;
  readonly of: number;
}

/** Called before the first billing month is converted and after each one. */
export type OnUpgrade = (progress: UpgradeProgress) => void | Promise<void>;

/** Shows an upgrade on a terminal; does nothing without one. */
export function upgradeBar(): OnUpgrade {
  let bar: ProgressBar | null = null;
  return ({ done, of }) => {
    bar ??= openProgressBar('Upgrading');
    bar.update({ percent: (100 * done) / of, phase: 'facts', note: `${done} of ${of} billing months` });
    if (done === of) bar.stop();
  };
}
