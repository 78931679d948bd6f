import { Anchor, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { Link } from 'wouter';
import { Card } from '../parts/card.tsx';
import { Empty } from '../parts/empty.tsx';
import { typeName, typeParameter, typeProvider } from '../recommendations/types.ts';
import { counted, money } from '../words/format.ts';
import { ItemList } from './item-list.tsx';
import type { Findings } from './queries.ts';

/** Types that are told. */
const most = 5;

/** What could be saved, by what would save it. */
export function SavingsCard({ summary }: { readonly summary: Findings['recommendationsSummary'] }) {
  const types = (summary?.byType ?? []).slice(0, most);
  return (
    <Card
      title="Savings available"
      note={
        summary && summary.totalCount > 0
          ? `${money(summary.totalEstimatedMonthlySavings, summary.currency)} a month`
          : undefined
      }
      actions={
        <Anchor component={Link} href="/recommendations" size="sm" aria-label="All recommendations">
          All
        </Anchor>
      }
    >
      {!summary || types.length === 0 ? (
        <Empty icon={IconCircleCheck} title="Nothing to save right now" text="Recommendations come with every sync." />
      ) : (
        <ItemList
          items={types.map(({ type, count, estimatedMonthlySavings }) => ({
            key: type,
            name: typeName(type),
            href: `/recommendations?${new URLSearchParams({ type: typeParameter(type) }).toString()}`,
            below: [counted(count, 'recommendation'), typeProvider(type)].filter(Boolean).join(' · '),
            figure: money(estimatedMonthlySavings, summary.currency),
          }))}
        />
      )}
      {summary && summary.unconverted.length > 0 && (
        <Text size="xs" c="dimmed" mt="xs">
          Beside {summary.unconverted.map((one) => money(one.estimatedMonthlySavings, one.currency)).join(', ')} without
          an exchange rate.
        </Text>
      )}
    </Card>
  );
}
