import type { Refusal } from '../api/refusal.ts';
import type { Fault } from '../parts/list/day-range.tsx';
import type { UrlState } from '../parts/list/url-state.ts';
import { sentence } from '../words/format.ts';
import { virtualKeyIn } from './dimensions.ts';
import { filterKey, type Question } from './question.ts';

/** Converts an error of the API that concerns a part of the query, such as a deleted virtual tag, to a fault in the URL; null for other
 *  errors. */
export function faultOfRefusal(refusal: Refusal, state: UrlState, question: Question): Fault | null {
  const { code, field, value } = refusal;
  if (code !== 'VALIDATION_ERROR' || field === null) return null;
  const keys = keysOf(field.split('.')[0] ?? field, value, question).filter((key) => state.has(key));
  if (keys.length === 0) return null;
  return { text: wordsOf(refusal), keys };
}

function wordsOf(refusal: Refusal): string {
  const { field, value, operation } = refusal;
  if (operation === 'virtualTags' && value !== null)
    return `The virtual tag “${value.replace(/^virtual:/, '')}” does not exist or is disabled.`;
  if (field === 'startDate') return sentence(refusal.labelled('The first day'));
  if (field === 'endDate') return sentence(refusal.labelled('The last day'));
  if (field === 'compare')
    return 'The comparison period overlaps with these days. Choose fewer days, or compare with the previous period.';
  return sentence(refusal.rest);
}

/** URL keys of an argument. */
function keysOf(argument: string, value: string | null, { filters }: Question): string[] {
  switch (argument) {
    case 'startDate':
    case 'endDate':
      return ['from', 'to', 'days'];
    case 'groupBy':
    case 'includeShared':
      return ['group', 'shared'];
    case 'filters': {
      const named = filters.filter(({ dimension }) => virtualKeyIn(dimension) === value);
      return [...(named.length > 0 ? named : filters).map(filterKey), 'path'];
    }
    case 'compare':
    case 'granularity':
      return [argument];
    default:
      return [];
  }
}
