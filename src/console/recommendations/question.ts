import { knownOf, someOf, type UrlState } from '../parts/url-state.ts';
import { queryOf } from '../parts/csv-button.tsx';
import { words } from '../words/names.ts';
import { recommendationTypes, typeParameter } from './types.ts';
import type { Choice } from '../parts/filters.tsx';

const statuses = ['OPEN', 'IN_PROGRESS', 'APPLIED', 'ARCHIVED'] as const;

/** Keys of the address that filter the list, beside the view. */
export const filterKeys = ['type', 'account', 'provider', 'minSavings', 'snoozed'];

/** Views of the list; the first stands where the address names none. */
export const views: readonly Choice[] = [
  { value: 'todo', label: 'To do' },
  ...statuses.map((status) => ({ value: status.toLowerCase(), label: words(status) })),
  { value: 'all', label: 'All' },
];

/** What the address asks for; without a status what can still be saved. */
export function questionOf(state: UrlState) {
  const known = knownOf(state, 'status', statuses);
  const types = knownOf(state, 'type', recommendationTypes);
  const isAll = state.all('status').includes('all');
  const minSavings = Number(state.one('minSavings') ?? Number.NaN);
  return {
    status: isAll ? [...statuses] : known.length > 0 ? known : [statuses[0], statuses[1]],
    type: types.length > 0 ? types : undefined,
    accountId: someOf(state, 'account'),
    provider: someOf(state, 'provider'),
    minSavings: Number.isFinite(minSavings) ? minSavings : undefined,
    includeSnoozed: state.one('snoozed') === 'true' ? true : undefined,
  };
}

/** A question about recommendations. */
export type Question = ReturnType<typeof questionOf>;

/** The same question as a query of REST. */
export function csvQuery(question: Question, sortBy: string): string {
  return queryOf({
    status: question.status?.map((status) => status.toLowerCase()),
    type: question.type?.map(typeParameter),
    account_id: question.accountId,
    provider: question.provider,
    min_savings: question.minSavings,
    include_snoozed: question.includeSnoozed,
    sort_by: sortBy,
  });
}
