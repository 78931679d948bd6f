import { pageRecommendations, summarizeRecommendations } from '../../../analysis/recommendations/list.ts';
import { microsToNumber, parseAmount, roundAmount } from '../../../kit/money.ts';
import { recommendationArgs } from '../filters.ts';
import { formatCount, formatMoney } from '../../../kit/text/format.ts';
import { formatWord } from '../document.ts';
import { barChart, countChart } from './charts.ts';
import { tableOfPages, type DataRequest, type Field, type ReadDataSet } from './data-set.ts';

const select = {
  id: true,
  accountId: true,
  provider: true,
  type: true,
  title: true,
  status: true,
  nativeId: true,
  resourceName: true,
  currency: true,
  estimatedMonthlySavings: true,
  realizedMonthlySavings: true,
  confidence: true,
  createdAt: true,
  statusChangedAt: true,
  statusReason: true,
} as const;

type RecommendationRow = Awaited<ReturnType<typeof pageRecommendations<typeof select>>>['rows'][number];

/** Reads savings opportunities, largest saving first. */
export const readRecommendations: ReadDataSet = async (request) => {
  const { deps, scope, report } = request;
  const args = recommendationArgs(report.filters);
  const { totalCount, totalSavings, currency, byType, byStatus, unconverted } = await summarizeRecommendations(
    deps,
    scope,
    args,
  );
  const sortBy = '-estimated_monthly_savings';
  const page = async (skip: number, take: number) =>
    (await pageRecommendations(deps, scope, { ...args, sortBy }, { skip, take, select })).rows;
  // The table has all requested statuses; the totals only cover what can still be saved.
  const rowCount = byStatus.reduce((sum, { count }) => sum + count, 0);
  const about = { key: 'recommendations', title: 'Recommendations', rowCount };
  return {
    subtitle: 'Possible and realized savings, as of the creation of the report.',
    summary: [
      { label: 'Recommendations', value: formatCount(totalCount) },
      { label: 'Possible savings per month', value: formatMoney(totalSavings, currency) },
      { label: 'Possible savings per year', value: formatMoney(totalSavings * 12, currency) },
      ...byStatus.map(({ status, count }) => ({ label: formatWord(status), value: formatCount(count) })),
    ].slice(0, 6),
    charts: [
      barChart(
        'Savings per month by type',
        currency,
        byType.map(({ type, savings }) => ({ label: formatWord(type), value: savings })),
      ),
      countChart(
        'Recommendations by status',
        byStatus.map(({ status, count }) => ({ label: formatWord(status), value: count })),
      ),
    ].filter((chart) => chart !== null),
    sections: [tableOfPages(about, fieldsOf(request), page)],
    notes: unconverted.map(
      ({ currency: foreign, savings }) =>
        `Savings of ${formatMoney(savings, foreign)} are excluded from all totals, because ${foreign} has no exchange rate for that month.`,
    ),
  };
};

function fieldsOf({ accountNames }: DataRequest): Field<RecommendationRow>[] {
  return [
    { key: 'title', label: 'Recommendation', type: 'text', of: ({ title }) => title },
    { key: 'type', label: 'Type', type: 'text', isWord: true, of: ({ type }) => type },
    { key: 'status', label: 'Status', type: 'text', isWord: true, of: ({ status }) => status },
    { key: 'resource_name', label: 'Resource', type: 'text', of: (row) => row.resourceName ?? row.nativeId },
    { key: 'account_name', label: 'Account', type: 'text', of: ({ accountId }) => accountNames.get(accountId) ?? '' },
    {
      key: 'estimated_monthly_savings',
      label: 'Savings per month',
      type: 'money',
      currency: null,
      of: ({ estimatedMonthlySavings }) => moneyOf(estimatedMonthlySavings),
    },
    { key: 'currency', label: 'Currency', type: 'text', of: ({ currency }) => currency },
    { key: 'confidence', label: 'Confidence', type: 'text', isWord: true, of: ({ confidence }) => confidence },
    {
      key: 'created_at',
      label: 'Since',
      type: 'instant',
      isDetail: true,
      of: ({ createdAt }) => createdAt.toISOString(),
    },
    { key: 'provider', label: 'Provider', type: 'text', isDetail: true, of: ({ provider }) => provider },
    { key: 'native_id', label: 'Provider’s ID', type: 'text', isDetail: true, of: ({ nativeId }) => nativeId },
    {
      key: 'realized_monthly_savings',
      label: 'Realized per month',
      type: 'money',
      isDetail: true,
      currency: null,
      of: ({ realizedMonthlySavings }) => realizedMonthlySavings && moneyOf(realizedMonthlySavings),
    },
    {
      key: 'status_changed_at',
      label: 'Status since',
      type: 'instant',
      isDetail: true,
      of: ({ statusChangedAt }) => statusChangedAt?.toISOString() ?? null,
    },
    { key: 'status_reason', label: 'Reason', type: 'text', isDetail: true, of: ({ statusReason }) => statusReason },
    { key: 'id', label: 'ID', type: 'text', isDetail: true, of: ({ id }) => id },
    { key: 'account_id', label: 'Account ID', type: 'text', isDetail: true, of: ({ accountId }) => accountId },
  ];
}

function moneyOf(decimal: { toFixed(): string }): number {
  return microsToNumber(roundAmount(parseAmount(decimal.toFixed())));
}
