import { pageRecommendations, summarizeRecommendations } from '../../../analysis/recommendations/list.ts';
import type { Conversion } from '../../../facts/currencies.ts';
import { amountToNumber, parseAmount } from '../../../kit/money.ts';
import { recommendationTypeName, recommendationTypeProvider } from '../../../kit/text/recommendation-type.ts';
import { argsOf } from '../filters.ts';
import { formatCount, formatMoney } from '../../../kit/text/format.ts';
import { formatWord } from '../document.ts';
import { excludedFacts, provisionalNotes } from './cost-parts.ts';
import { barChart, countChart } from './charts.ts';
import { conversionsOf, convertedCurrency, withConverted } from './conversions.ts';
import { present, tableOfStream, pagesOf, field, type DataRequest, type Field, type ReadDataSet } from './data-set.ts';

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

type StoredRow = Pick<Awaited<ReturnType<typeof pageRecommendations>>['rows'][number], keyof typeof select>;
type RecommendationRow = StoredRow & { readonly converted: Conversion | null };

/** Reads savings opportunities, largest saving first. */
export const readRecommendations: ReadDataSet = async (request) => {
  const { deps, scope, report } = request;
  const args = argsOf('recommendations', report.filters);
  const summary = await summarizeRecommendations(deps, scope, args);
  const {
    totalCount,
    totalEstimatedMonthlySavings: total,
    currency,
    byType,
    byStatus,
    unconverted,
    provisionalRates,
  } = summary;
  const sortBy = '-estimated_monthly_savings';
  const page = async (skip: number, take: number) =>
    (await pageRecommendations(deps, scope, { ...args, sortBy }, { skip, take, select })).rows;
  const conversionOf = conversionsOf(request);
  const rows = withConverted(pagesOf<StoredRow>(page), ({ accountId, currency: from }) =>
    conversionOf({ accountId, currency: from }),
  );
  // The table has all requested statuses; the totals only cover what can still be saved.
  const rowCount = byStatus.reduce((sum, { count }) => sum + count, 0);
  const about = { key: 'recommendations', title: 'Recommendations', rowCount };
  return {
    subtitle: 'Potential and realized savings, as of the creation of the report.',
    summary: [
      { label: 'Recommendations', value: formatCount(totalCount) },
      { label: 'Potential monthly savings', value: formatMoney(total, currency) },
      ...excludedFacts({
        unconverted: unconverted.map((one) => ({ currency: one.currency, cost: one.estimatedMonthlySavings })),
      }),
      { label: 'Potential annual savings', value: formatMoney(total * 12, currency) },
      ...byStatus.map(({ status, count }) => ({ label: formatWord(status), value: formatCount(count) })),
    ].slice(0, 6),
    charts: present(
      barChart(
        'Savings per month by type',
        currency,
        byType.map(({ type, estimatedMonthlySavings: value }) => ({ label: typeLabel(type), value })),
      ),
      countChart(
        'Recommendations by status',
        byStatus.map(({ status, count }) => ({ label: formatWord(status), value: count })),
      ),
    ),
    sections: [tableOfStream(about, fieldsOf(request), rows)],
    notes: [
      ...unconverted.map(
        ({ currency: foreign, estimatedMonthlySavings: savings }) =>
          `Savings of ${formatMoney(savings, foreign)} are excluded from all totals, because ${foreign} has no exchange rate for these savings.`,
      ),
      ...provisionalNotes(provisionalRates),
    ],
  };
};

/** Name of a type with its provider, which distinguishes those with the same name. */
function typeLabel(type: string): string {
  const name = recommendationTypeName(type) ?? formatWord(type);
  return [name, recommendationTypeProvider(type)].filter((part) => part !== null).join(' · ');
}

function fieldsOf({
  accountNames,
  currency: own,
  hasOtherCurrencies = false,
}: DataRequest): Field<RecommendationRow>[] {
  return [
    field('title', 'Recommendation', 'text', ({ title }) => title),
    field('type', 'Type', { type: 'text', isRecommendationType: true }, ({ type }) => type),
    field('status', 'Status', { type: 'text', isWord: true }, ({ status }) => status),
    field('resource_name', 'Resource', 'text', (row) => row.resourceName ?? row.nativeId),
    field('account_name', 'Account', 'text', ({ accountId }) => accountNames.get(accountId) ?? ''),
    field(
      'estimated_monthly_savings',
      'Savings per month',
      { type: 'money', currency: null },
      ({ estimatedMonthlySavings }) => moneyOf(estimatedMonthlySavings),
    ),
    field('currency', 'Currency', 'text', ({ currency }) => currency),
    ...(hasOtherCurrencies
      ? [
          field(
            'converted_estimated_monthly_savings',
            'Savings per month',
            { type: 'money', currency: own },
            (row: RecommendationRow) => row.converted && row.converted.of(row.estimatedMonthlySavings),
          ),
          field(
            'converted_realized_monthly_savings',
            'Realized per month',
            { type: 'money', isDetail: true, currency: own },
            (row: RecommendationRow) => row.converted && row.converted.of(row.realizedMonthlySavings),
          ),
          convertedCurrency(own),
        ]
      : []),
    field('confidence', 'Confidence', { type: 'text', isWord: true }, ({ confidence }) => confidence),
    field('created_at', 'Detected', { type: 'instant', isDetail: true }, ({ createdAt }) => createdAt.toISOString()),
    field('provider', 'Provider', { type: 'text', isDetail: true, isProvider: true }, ({ provider }) => provider),
    field('native_id', 'Resource ID', { type: 'text', isDetail: true }, ({ nativeId }) => nativeId),
    field(
      'realized_monthly_savings',
      'Realized per month',
      { type: 'money', isDetail: true, currency: null },
      ({ realizedMonthlySavings }) => realizedMonthlySavings && moneyOf(realizedMonthlySavings),
    ),
    field(
      'status_changed_at',
      'Status since',
      { type: 'instant', isDetail: true },
      ({ statusChangedAt }) => statusChangedAt?.toISOString() ?? null,
    ),
    field('status_reason', 'Reason', { type: 'text', isDetail: true }, ({ statusReason }) => statusReason),
    field('id', 'ID', { type: 'text', isDetail: true }, ({ id }) => id),
    field('account_id', 'Account ID', { type: 'text', isDetail: true }, ({ accountId }) => accountId),
  ];
}

function moneyOf(decimal: { toFixed(): string }): number {
  return amountToNumber(parseAmount(decimal.toFixed()));
}
