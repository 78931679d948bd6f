import { queryOf } from '../parts/csv-button.tsx';
import type { Grouping } from './address.ts';
import { argumentsOf } from './queries.ts';
import type { Question } from './question.ts';

const paths: Readonly<Record<Exclude<Grouping, 'provider'>, string>> = {
  service: '/costs/by-service',
  account: '/costs/by-account',
  region: '/costs/by-region',
  tag: '/costs/by-tag',
};

/** Where REST gives the table as CSV; null for that of providers, which it gives by their days only. */
export function tableCsv(question: Question): string | null {
  const { group } = question;
  return group === 'provider' ? null : `${paths[group]}${queryOf(restArguments(question))}`;
}

/** Where REST gives what the chart shows as CSV, a line a day; months are added up there by nobody but their total. */
export function daysCsv(question: Question): string {
  const { group, filters } = question;
  const isByTag = group === 'tag';
  const dividesOnly = isByTag && filters.tagValue.length === 0 && !filters.untagged;
  const query = {
    ...restArguments(question),
    ...(dividesOnly && { tag_key: undefined }),
    group_by: isByTag ? undefined : group,
  };
  return `/costs/daily${queryOf(query)}`;
}

function restArguments(question: Question) {
  const asked = argumentsOf(question, question.range);
  return {
    start_date: question.range.from,
    end_date: question.range.to,
    cost_metric: question.metric,
    account_id: asked.accountId,
    sub_account_id: asked.subAccountId,
    provider: asked.provider,
    service: asked.service,
    region: asked.region,
    charge_category: asked.chargeCategory?.map((one) => one.toLowerCase()),
    tag_key: asked.tagKey,
    tag_value: asked.tagValue,
    untagged: asked.untagged,
  };
}
