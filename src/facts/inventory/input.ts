import type { CostArgs } from '../costs/question.ts';
import { parseProviders } from '../provider.ts';
import { arg, fix, invalid, mention } from '../../kit/errors/errors.ts';
import { keyMissing } from '../../kit/errors/refusals.ts';
import { isUuid } from '../../kit/ids.ts';
import { parseSort, type SortBy } from '../../kit/sort.ts';
import { tagKeyName } from '../../kit/tag-key.ts';

/** Sort fields of resource lists in REST spelling: columns of `inventory_resources`. */
export const resourceSortFields = ['name', 'cost_last_30_days', 'first_seen_at', 'last_seen_at'] as const;

/** Filters of a resource request; null means any. */
export interface ResourceRequest extends Pick<
  CostArgs,
  'accountId' | 'provider' | 'service' | 'region' | 'tagKey' | 'tagValue' | 'untagged'
> {
  readonly resourceType?: readonly string[] | null;
  readonly search?: string | null;
  readonly includeGone?: boolean | null;
  readonly sortBy?: SortBy<typeof resourceSortFields> | null;
}

/** A validated request. Lists have no duplicates; null means any. */
export type ResourceFilter = ReturnType<typeof resourceFilter>;

/** Maximum length of a search: longer than every name and id of the providers. */
export const searchRule = { maxLength: 500 } as const;

/** Validates a request.
 *  @throws {AppError} VALIDATION_ERROR that names the parameter */
export function resourceFilter(request: ResourceRequest) {
  const { search = null } = request;
  const length = [...(search ?? '')].length;
  if (length > searchRule.maxLength)
    throw invalid`${arg('search')} has ${length} characters; at most ${searchRule.maxLength} are allowed`;
  return {
    accountIds: list(request.accountId)?.filter(isUuid) ?? null,
    providers: parseProviders(request.provider),
    resourceTypes: list(request.resourceType),
    services: list(request.service),
    regions: list(request.region),
    tag: tagOf(request),
    search: search === '' ? null : search,
    includeGone: request.includeGone ?? false,
    /** Null: newest first. */
    sort: parseSort(request.sortBy, resourceSortFields),
  };
}

function tagOf({ tagKey, tagValue, untagged }: ResourceRequest) {
  const values = list(tagValue);
  const isMissing = untagged ?? false;
  if (isMissing && values !== null)
    throw invalid`${arg('untagged')} and ${mention('tag_value')} cannot be combined${fix}leave one out`;
  if (tagKey?.trim() === '') throw invalid`${arg('tag_key', tagKey)} is blank${fix}give the key of a tag, such as team`;
  if (tagKey !== null && tagKey !== undefined) return { key: tagKeyName(tagKey), values, isMissing };
  if (values !== null) throw keyMissing('tag_value', values.join(', '));
  if (isMissing) throw keyMissing('untagged', 'true');
  return null;
}

/** Deduplicates values and drops those with NUL: no stored text contains it, and PostgreSQL rejects it in parameters. */
function list(values: readonly string[] | null | undefined): string[] | null {
  return values ? [...new Set(values)].filter((value) => !value.includes('\0')) : null;
}
