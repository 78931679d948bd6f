import { SimpleGrid } from '@mantine/core';
import { useAnswer } from '../api/use-answer.ts';
import { BarList } from '../charts/bar-list.tsx';
import { Card } from '../parts/card.tsx';
import { FigureCard } from '../parts/figure-card.tsx';
import { Shown } from '../parts/shown.tsx';
import { Unconverted } from '../parts/unconverted.tsx';
import type { UrlState } from '../parts/url-state.ts';
import type { ResultOf } from '../api/graphql.ts';
import { counted, money } from '../words/format.ts';
import { SavingsQuery } from './queries.ts';
import type { Question } from './question.ts';
import { typeName, typeParameter, typeProvider } from './types.ts';

type Data = ResultOf<typeof SavingsQuery>;
type AllSavings = NonNullable<Data['all']>;
type StatusKey = AllSavings['byStatus'][number]['status'];

/** What the recommendations come to, by status and by type. */
export function Savings({ question, state }: { readonly question: Question; readonly state: UrlState }) {
  const answer = useAnswer(SavingsQuery, question);
  return (
    <Shown of={answer} height={330}>
      {({ all, shown }) => (
        <div style={{ display: 'grid', gap: 'var(--mantine-spacing-md)' }}>
          {all && <Unconverted currency={all.currency} costs={costsOf(all.unconverted)} />}
          {all && <ByStatus all={all} state={state} />}
          {shown && shown.byType.length > 0 && <ByType shown={shown} state={state} />}
        </div>
      )}
    </Shown>
  );
}

function costsOf(unconverted: AllSavings['unconverted']) {
  return unconverted.map(({ currency, estimatedMonthlySavings }) => ({ currency, cost: estimatedMonthlySavings }));
}

function ByStatus({ all, state }: { readonly all: AllSavings; readonly state: UrlState }) {
  const sum = (...statuses: readonly StatusKey[]) => {
    const some = all.byStatus.filter(({ status }) => statuses.includes(status));
    return {
      amount: some.reduce((total, { estimatedMonthlySavings }) => total + estimatedMonthlySavings, 0),
      count: some.reduce((total, { count }) => total + count, 0),
    };
  };
  const figure = (label: string, status: string | null, { amount, count }: ReturnType<typeof sum>) => (
    <FigureCard
      label={label}
      value={money(amount, all.currency)}
      below={`a month · ${counted(count, 'recommendation')}`}
      href={`/recommendations${state.with({ status })}`}
    />
  );
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      {figure('Can be saved', null, sum('OPEN', 'IN_PROGRESS'))}
      {figure('In progress', 'in_progress', sum('IN_PROGRESS'))}
      {figure('Applied', 'applied', sum('APPLIED'))}
      {figure('Archived', 'archived', sum('ARCHIVED'))}
    </SimpleGrid>
  );
}

function ByType({ shown, state }: { readonly shown: NonNullable<Data['shown']>; readonly state: UrlState }) {
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
    <Card title="By type" note={`${total} a month in ${counted(shown.totalCount, 'recommendation')}`}>
      <BarList label="Savings by type" bars={bars} most={6} noun="types" isWide />
    </Card>
  );
}
