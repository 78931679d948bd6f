import { SimpleGrid, Stack } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconCircleCheck } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useMay, useMe } from '../api/me.tsx';
import { useAnswer } from '../api/use-api.ts';
import { BarList } from '../charts/bar-list.tsx';
import { useAccountNames, usePeople } from '../parts/choices/choices.tsx';
import { MoneyInput } from '../parts/form/number-field.tsx';
import {
  anyOf,
  byAccount,
  byAssignee,
  byProvider,
  including,
  useList,
  view,
  type QuestionOf,
} from '../parts/list/definition.tsx';
import { ListPage } from '../parts/list/list.tsx';
import { OwnMoney } from '../parts/list/own-money.tsx';
import { TwoLines, type Column, moneyColumn } from '../parts/list/table.tsx';
import type { UrlState } from '../parts/list/url-state.ts';
import { Card, FigureCard, Status, StatusOf } from '../parts/page/card.tsx';
import { Caveats } from '../parts/page/caveats.tsx';
import { NoData } from '../parts/page/no-data.tsx';
import { Empty, Shown } from '../parts/page/page.tsx';
import { Provider } from '../parts/page/provider.tsx';
import { counted, money, words, day, wholeMoney } from '../words/format.ts';
import { RecommendationBulk } from './bulk.tsx';
import { RecommendationsQuery, TotalsQuery, useFoundTypes, type RecommendationRow, type Summary } from './queries.ts';
import { recommendationTypes, typeName, typeParameter, typeProvider, type RecommendationType } from './types.ts';

const statuses = ['OPEN', 'IN_PROGRESS', 'APPLIED', 'ARCHIVED'] as const;

const list = {
  csv: ['/recommendations', 'recommendations'],
  sort: '-estimated_monthly_savings',
  filters: {
    status: view('status', 'Status', [
      { value: 'todo', label: 'To do', asks: ['OPEN', 'IN_PROGRESS'] },
      ...statuses.map((status) => ({ value: status.toLowerCase(), label: words(status), asks: [status] })),
      { value: 'all', label: 'All', asks: statuses },
    ]),
    type: anyOf('type', 'Type', recommendationTypes, { labelOf: typeLabel, useShown: useFoundTypes }),
    accountId: byAccount,
    provider: byProvider,
    minSavings: { keys: ['minSavings'], read: minSavingsOf, Control: MinSavings },
    ...byAssignee(),
    includeSnoozed: including('snoozed', 'Include snoozed'),
  },
} as const;

type Question = QuestionOf<typeof list.filters>;

/** Recommendation list, highest saving first. */
export function RecommendationsPage() {
  const recommendations = useList(list, RecommendationsQuery);
  const { question, state } = recommendations;
  const accountName = useAccountNames();
  const personName = usePeople(recommendations.rows.map(({ assigneeId }) => assigneeId));
  const mayWrite = useMay('recommendations.write');
  const { costsLoaded } = useMe().organization;
  const hasApplied = question.status?.includes('APPLIED') !== false;
  return (
    <ListPage
      views="RECOMMENDATIONS"
      title="Recommendations"
      lead="Estimated monthly savings. Overlapping savings count once."
      list={recommendations}
      columns={recommendationColumns({ accountName, personName, hasApplied })}
      bulk={mayWrite ? bulk : undefined}
      hrefOf={({ id }) => `/recommendations/${id}`}
      noun={['recommendation']}
      empty={<NoRecommendations view={state.one('status') ?? 'todo'} />}
    >
      {costsLoaded && <Savings question={question} state={state} />}
    </ListPage>
  );
}

const bulk = { nameOf: ({ title: name }: RecommendationRow) => name, Actions: RecommendationBulk };

function typeLabel(type: RecommendationType): string {
  return [typeName(type), typeProvider(type)].filter(Boolean).join(' · ');
}

function NoRecommendations({ view: chosen }: { readonly view: string }) {
  switch (chosen) {
    case 'in_progress':
      return <Empty title="Nothing in progress" />;
    case 'applied':
      return <Empty title="No applied recommendations" text="Realized savings are measured on later bills." />;
    case 'archived':
      return <Empty title="No archived recommendations" />;
    default:
      return (
        <NoData icon={IconCircleCheck} title="No recommendations" text="Recommendations are updated after each sync." />
      );
  }
}

type StatusKey = Summary['byStatus'][number]['status'];

/** Total savings by status, ignoring the status filter, and by type, ignoring the type filter. */
function Savings({ question, state }: { readonly question: Question; readonly state: UrlState }) {
  const totals = useAnswer(TotalsQuery, question);
  return (
    <Shown of={totals} height={332}>
      {({ byStatus: all, byType: shown }) => (
        <Stack gap="md">
          {all && (
            <>
              <Caveats of={{ ...all, unconverted: costsOf(all.unconverted) }} />
              <ByStatus all={all} state={state} />
            </>
          )}
          {shown && shown.byType.length > 0 && <ByType shown={shown} state={state} />}
        </Stack>
      )}
    </Shown>
  );
}

function costsOf(unconverted: Summary['unconverted']) {
  return unconverted.map(({ currency, estimatedMonthlySavings }) => ({ currency, cost: estimatedMonthlySavings }));
}

function ByStatus({ all, state }: { readonly all: Summary; readonly state: UrlState }) {
  const sum = (...asked: readonly StatusKey[]) => {
    const some = all.byStatus.filter(({ status }) => asked.includes(status));
    return {
      amount: some.reduce((total, { estimatedMonthlySavings }) => total + estimatedMonthlySavings, 0),
      count: some.reduce((total, { count }) => total + count, 0),
    };
  };
  const figure = (label: string, status: string | null, { amount, count }: ReturnType<typeof sum>) => (
    <FigureCard
      label={label}
      value={amount === 0 && count > 0 && all.unconverted.length > 0 ? '–' : wholeMoney(amount, all.currency)}
      // Some of them are upper bounds.
      below={`per month at most · ${counted(count, 'recommendation')}`}
      href={`/recommendations${state.with({ status })}`}
    />
  );
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      {figure('Potential savings', null, sum('OPEN', 'IN_PROGRESS'))}
      {figure('In progress', 'in_progress', sum('IN_PROGRESS'))}
      {figure('Applied', 'applied', sum('APPLIED'))}
      {figure('Archived', 'archived', sum('ARCHIVED'))}
    </SimpleGrid>
  );
}

function ByType({ shown, state }: { readonly shown: Summary; readonly state: UrlState }) {
  const bars = shown.byType.map(({ type, count, estimatedMonthlySavings }) => ({
    key: type,
    label: typeName(type),
    note: [typeProvider(type), count > 1 ? `× ${count}` : null].filter(Boolean).join(' '),
    value: estimatedMonthlySavings,
    shown: money(estimatedMonthlySavings, shown.currency),
    href: `/recommendations${state.with({ type: typeParameter(type) })}`,
  }));
  const total = money(shown.totalEstimatedMonthlySavings, shown.currency);
  return (
    <Card title="By type" note={`Up to ${total} per month from ${counted(shown.totalCount, 'recommendation')}`}>
      <BarList label="Savings by type" bars={bars} most={6} noun="types" isWide />
    </Card>
  );
}

/** Filter by minimum saving, debounced. */
function MinSavings({ state }: { readonly state: UrlState }) {
  const { currency } = useMe().organization;
  const asked = minSavingsOf(state) ?? null;
  const [amount, setAmount] = useState(asked);
  useEffect(() => setAmount(asked), [asked]);
  const ask = useDebouncedCallback(
    (next: number | null) => state.set({ minSavings: next === null ? null : String(next) }, { replace: true }),
    400,
  );
  return (
    <MoneyInput
      aria-label="Minimum monthly savings"
      placeholder="Min. savings"
      currency={currency}
      isSigned={false}
      w={150}
      value={amount}
      onChange={(next) => {
        setAmount(next);
        ask(next);
      }}
    />
  );
}

function minSavingsOf(state: UrlState): number | undefined {
  const value = Number(state.one('minSavings') ?? Number.NaN);
  return Number.isFinite(value) ? value : undefined;
}

const title: Column<RecommendationRow> = {
  title: 'Recommendation',
  grow: true,
  sortBy: 'title',
  cell: (row) => <div style={{ minWidth: 'min(300px, 34cqw)' }}>{row.title}</div>,
};

const savings: Column<RecommendationRow> = {
  title: 'Savings per month',
  align: 'right',
  sortBy: 'estimated_monthly_savings',
  cell: (row) => <OwnMoney row={row} name="estimatedMonthlySavings" isStrong />,
};

const realized = moneyColumn<'realizedMonthlySavings', RecommendationRow>('Realized', 'realizedMonthlySavings', {
  hideOn: 'tablet',
  sortBy: 'realized_monthly_savings',
});

const type: Column<RecommendationRow> = {
  title: 'Type',
  hideOn: 'tablet',
  sortBy: 'type',
  cell: (row) => (
    <div style={{ minWidth: 150, whiteSpace: 'normal' }}>
      <TwoLines top={typeName(row.type)} below={<Provider slug={row.provider} />} />
    </div>
  ),
};

const confidence: Column<RecommendationRow> = {
  title: 'Confidence',
  hideOn: 'laptop',
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
  personName(id: string | null): string | null;
  /** Whether the list includes applied recommendations. */
  readonly hasApplied: boolean;
}

/** Columns of the recommendation list. */
export function recommendationColumns({ accountName, personName, hasApplied }: Options): Column<RecommendationRow>[] {
  const account: Column<RecommendationRow> = {
    title: 'Account',
    hideOn: 'tablet',
    cell: (row) => accountName(row.accountId),
  };
  const assignee: Column<RecommendationRow> = {
    title: 'Assignee',
    hideOn: 'laptop',
    cell: (row) => personName(row.assigneeId) ?? '–',
  };
  return [title, savings, ...(hasApplied ? [realized] : []), type, account, confidence, assignee, status];
}

/** Recommendation columns for the resource page, without account and provider. */
export const recommendationColumnsOfResource: readonly Column<RecommendationRow>[] = [
  title,
  savings,
  confidence,
  status,
];
