import { queryOf } from '../parts/csv-button.tsx';
import { someOf, type UrlState } from '../parts/url-state.ts';

/** Keys of the address that filter the list. */
export const filterKeys = ['search', 'account', 'provider', 'region', 'type', 'service', 'tagKey', 'tagValue', 'gone'];

/** What the address asks for. */
export function questionOf(state: UrlState) {
  return {
    search: state.one('search') ?? undefined,
    accountId: someOf(state, 'account'),
    provider: someOf(state, 'provider'),
    region: someOf(state, 'region'),
    resourceType: someOf(state, 'type'),
    service: someOf(state, 'service'),
    tagKey: state.one('tagKey') ?? undefined,
    tagValue: someOf(state, 'tagValue'),
    includeGone: state.one('gone') === 'true' ? true : undefined,
  };
}

/** A question about resources. */
export type Question = ReturnType<typeof questionOf>;

/** The same question as a query of REST. */
export function csvQuery(question: Question, sortBy: string): string {
  const { accountId, resourceType, tagKey, tagValue, includeGone, ...same } = question;
  return queryOf({
    ...same,
    account_id: accountId,
    resource_type: resourceType,
    tag_key: tagKey,
    tag_value: tagValue,
    include_gone: includeGone,
    sort_by: sortBy,
  });
}
