import { SimpleGrid } from '@mantine/core';
import { useAnswer } from '../api/use-answer.ts';
import { BarList, type Bar } from '../charts/bar-list.tsx';
import { Card } from '../parts/card.tsx';
import { Shown } from '../parts/shown.tsx';
import type { UrlState } from '../parts/url-state.ts';
import { count, counted } from '../words/format.ts';
import { regionName } from '../words/names.ts';
import { typeLabel } from './choices.ts';
import { InventorySummaryQuery } from './queries.ts';
import type { Question } from './question.ts';

/** How many resources the filters leave, by what they are and where; each leads to just those. */
export function Summary({ question, state }: { readonly question: Question; readonly state: UrlState }) {
  const answer = useAnswer(InventorySummaryQuery, question);
  const href = (key: string, value: string) => (value === '' ? undefined : `/inventory${state.with({ [key]: value })}`);
  return (
    <Shown of={answer} height={250}>
      {({ inventorySummary }) => {
        if (!inventorySummary || inventorySummary.total === 0) return null;
        const { byType, byRegion, byAccount } = inventorySummary;
        const total = counted(inventorySummary.total, 'resource');
        return (
          <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
            <Split
              title="By type"
              total={total}
              noun="types"
              bars={byType.map((one) =>
                barOf(one.resourceType, typeLabel(one.resourceType), one.count, href('type', one.resourceType)),
              )}
            />
            <Split
              title="By region"
              total={total}
              noun="regions"
              bars={byRegion.map((one) =>
                barOf(one.region, regionName(one.region), one.count, href('region', one.region)),
              )}
            />
            <Split
              title="By account"
              total={total}
              noun="accounts"
              bars={byAccount.map((one) =>
                barOf(one.accountId, one.accountName, one.count, href('account', one.accountId)),
              )}
            />
          </SimpleGrid>
        );
      }}
    </Shown>
  );
}

function barOf(key: string, label: string, value: number, href: string | undefined): Bar {
  return { key, label, value, shown: count(value), ...(href && { href }) };
}

interface SplitProps {
  readonly title: string;
  readonly total: string;
  readonly noun: string;
  readonly bars: readonly Bar[];
}

function Split({ title, total, noun, bars }: SplitProps) {
  return (
    <Card title={title} note={total}>
      <BarList label={`Resources ${title.toLowerCase()}`} bars={bars} most={5} noun={noun} />
    </Card>
  );
}
