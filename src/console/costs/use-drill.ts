import { useEffect } from 'react';
import { useAnswer } from '../api/use-answer.ts';
import type { UrlState } from '../parts/url-state.ts';
import type { Grouping } from './dimensions.ts';
import { grouped, openSteps } from './drill.ts';
import { DrillSteps, stepsVariables } from './queries.ts';
import type { Question } from './question.ts';

/** Completes a drill-down: groups by the first open step with more than one value, else by day.
 *  @returns whether the step is still being chosen */
export function useDrill(state: UrlState, question: Question): boolean {
  const isAsked = state.one('drill') === 'true';
  const steps = openSteps(question.filters);
  const answer = useAnswer(DrillSteps, stepsVariables(question, steps), { pause: !isAsked || steps.length === 0 });
  const counts = answer.isStale ? null : answer.data;
  const target = targetOf();

  function targetOf(): Grouping | null {
    const [first = 'day'] = steps;
    // Without counts the first open step shows the error itself.
    if (first === 'day' || answer.refusal) return first;
    return counts && (steps.find((step) => (counts[step]?.rowCount ?? 0) > 1) ?? 'day');
  }

  useEffect(() => {
    if (isAsked && target !== null) state.set(grouped(target), { replace: true });
  }, [isAsked, target, state]);
  return isAsked;
}
