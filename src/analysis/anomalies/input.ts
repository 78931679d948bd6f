import type { AnomalyStatus } from '../../../prisma/generated/client/enums.ts';
import { parseProviders } from '../../facts/provider.ts';
import { endBeforeStart } from '../../kit/refusals.ts';
import { isUuid } from '../../kit/ids.ts';
import type { Day } from '../../kit/period.ts';
import type { ReasonInput } from '../status-reason.ts';
import type { AnomalyFilter } from './conditions.ts';
import type { Severity } from './severity.ts';

/** What a list is asked for; null means any. */
export interface FilterInput {
  status?: readonly AnomalyStatus[] | null;
  severity?: readonly Severity[] | null;
  accountId?: readonly string[] | null;
  provider?: readonly string[] | null;
  service?: readonly string[] | null;
  resourceId?: string | null;
  startDate?: Day | null;
  endDate?: Day | null;
}

/** What changes of an anomaly; what is absent stays. */
export interface ChangeInput extends ReasonInput {
  id: string;
  status?: AnomalyStatus | null;
}

/** Reads the filters. An id that is none matches nothing.
 *  @throws {AppError} VALIDATION_ERROR when the last day is before the first */
export function filterOf(input: FilterInput): AnomalyFilter {
  const once = <T>(values: readonly T[] | null | undefined) => (values ? [...new Set(values)] : null);
  const { startDate: from = null, endDate: to = null } = input;
  if (from !== null && to !== null && to < from) throw endBeforeStart(to, from);
  return {
    statuses: once(input.status),
    severities: once(input.severity),
    accountIds: once(input.accountId)?.filter(isUuid) ?? null,
    providers: parseProviders(input.provider),
    services: once(input.service),
    resourceIds: typeof input.resourceId === 'string' ? [input.resourceId].filter(isUuid) : null,
    from,
    to,
  };
}
