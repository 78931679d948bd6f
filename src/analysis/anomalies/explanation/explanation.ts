import { composeProse, type Prose } from './compose.ts';
import type { AnomalyFacts, Driver } from './facts.ts';

/** Who put it into words. */
export type ExplanationSource = 'model' | 'composed';

/** Why a cost was higher, with the figures that say so. */
export interface Explanation extends Prose {
  readonly drivers: readonly Driver[];
  readonly source: ExplanationSource;
}

/** The explanation of an anomaly: in a model's words where there are some about these facts, or else composed at once, so that
 *  nobody waits for a model. */
export function explanationOf({ facts, prose }: { facts: AnomalyFacts; prose: Prose | null }): Explanation {
  const { drivers } = facts;
  return prose === null
    ? { ...composeProse(facts), drivers, source: 'composed' }
    : { ...prose, drivers, source: 'model' };
}
