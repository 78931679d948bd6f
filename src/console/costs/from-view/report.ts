import type { Filters } from '../../reports/filters/filters.ts';
import type { ReportType } from '../../reports/queries.ts';
import { isDimension } from '../dimensions.ts';
import { sharedBy, type Question } from '../question.ts';
import { costMetricOf, literals, nameOf, tagKeyOf, type Prefilled } from './prefill.ts';

/** Subject and filters of a report. */
interface ReportValues {
  readonly type: ReportType;
  readonly filters: Filters;
}

const listNames = new Map<string, 'accountId' | 'provider' | 'service' | 'region' | 'subAccountId'>([
  ['account', 'accountId'],
  ['provider', 'provider'],
  ['service', 'service'],
  ['region', 'region'],
  ['sub_account', 'subAccountId'],
]);

/** Converts a cost view to the subject and filters of a report. */
export function reportOfView(question: Question): Prefilled<ReportValues> {
  const { groups, metric, granularity, includesShared } = question;
  const group = (includesShared && sharedBy(groups)) || groups[0];
  const groupedKey = isDimension(group) ? tagKeyOf({ dimension: group }) : null;
  const type = includesShared ? 'SHOWBACK' : typeOf(group, groupedKey);
  const base: Filters = {
    ...(metric !== 'effective' && { costMetric: costMetricOf(question) }),
    ...(type === 'COST_SUMMARY' && { granularity: granularity === 'daily' ? 'DAILY' : 'MONTHLY' }),
    ...(groupedKey !== null && { tagKey: groupedKey }),
  };
  const left: string[] = [];
  const filters: { -readonly [Name in keyof Filters]: Filters[Name] } = base;
  for (const filter of question.filters) {
    const values = literals(filter);
    const name = listNames.get(filter.dimension);
    const tagKey = tagKeyOf(filter);
    if (values && name) filters[name] = values;
    else if (values && tagKey !== null && (filters.tagKey ?? tagKey) === tagKey)
      Object.assign(filters, { tagKey, tagValue: values });
    else left.push(nameOf(filter));
  }
  return { values: { type, filters }, left };
}

function typeOf(group: Question['groups'][0], tagKey: string | null): ReportType {
  if (tagKey !== null) return 'COST_BY_TAG';
  if (group === 'service') return 'COST_BY_SERVICE';
  return group === 'account' ? 'COST_BY_ACCOUNT' : 'COST_SUMMARY';
}
