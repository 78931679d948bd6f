import { Status, StatusOf } from '../parts/page/card.tsx';
import { TwoLines, type Column } from '../parts/list/table.tsx';
import { day, money, providerName, words } from '../words/format.ts';
import type { RecommendationRow } from './queries.ts';
import { typeName } from './types.ts';

const title: Column<RecommendationRow> = {
  title: 'Recommendation',
  grow: true,
  sortBy: 'title',
  cell: (row) => row.title,
};

const savings: Column<RecommendationRow> = {
  title: 'Savings per month',
  align: 'right',
  sortBy: 'estimated_monthly_savings',
  cell: (row) => <strong>{money(row.estimatedMonthlySavings, row.currency)}</strong>,
};

const realized: Column<RecommendationRow> = {
  title: 'Realized',
  align: 'right',
  hideOn: 'tablet',
  sortBy: 'realized_monthly_savings',
  cell: (row) => (row.realizedMonthlySavings === null ? '–' : money(row.realizedMonthlySavings, row.currency)),
};

const type: Column<RecommendationRow> = {
  title: 'Type',
  hideOn: 'tablet',
  sortBy: 'type',
  cell: (row) => <TwoLines top={typeName(row.type)} below={providerName(row.provider)} />,
};

const confidence: Column<RecommendationRow> = {
  title: 'Confidence',
  hideOn: 'phone',
  cell: (row) => words(row.confidence),
};

const status: Column<RecommendationRow> = {
  title: 'Status',
  hideOn: 'phone',
  cell: (row) => (
    <>
      <StatusOf value={row.status} />{' '}
      {isSnoozed(row) && <Status value="SNOOZED" tone="quiet" label={`Snoozed until ${day(row.snoozedUntil ?? '')}`} />}
    </>
  ),
};

/** Whether the recommendation is currently hidden from lists. */
export function isSnoozed({ snoozedUntil }: Pick<RecommendationRow, 'snoozedUntil'>): boolean {
  return snoozedUntil !== null && Date.parse(snoozedUntil) > Date.now();
}

interface Options {
  accountName(id: string): string;
  /** Whether the list includes applied recommendations. */
  readonly hasApplied: boolean;
}

/** Columns of the recommendation list. */
export function recommendationColumns({ accountName, hasApplied }: Options): Column<RecommendationRow>[] {
  const account: Column<RecommendationRow> = {
    title: 'Account',
    hideOn: 'tablet',
    cell: (row) => accountName(row.accountId),
  };
  return [title, savings, ...(hasApplied ? [realized] : []), type, account, confidence, status];
}

/** Recommendation columns for the resource page, without account and provider. */
export const recommendationColumnsOfResource: readonly Column<RecommendationRow>[] = [
  title,
  savings,
  confidence,
  status,
];
