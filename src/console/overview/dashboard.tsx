import { SimpleGrid, Skeleton, Stack } from '@mantine/core';
import type { AccountRow } from '../accounts/queries.ts';
import type { Answer } from '../api/use-answer.ts';
import { Shown } from '../parts/shown.tsx';
import { Unconverted } from '../parts/unconverted.tsx';
import { today } from '../words/days.ts';
import { AnomaliesCard } from './anomalies-card.tsx';
import { BudgetsCard } from './budgets-card.tsx';
import { FreshnessCard } from './freshness-card.tsx';
import { Headlines } from './headlines.tsx';
import { monthToDate } from './month.ts';
import type { Findings, Spend } from './queries.ts';
import { SavingsCard } from './savings-card.tsx';
import { TopCards } from './top-cards.tsx';
import { TrendCard } from './trend-card.tsx';

interface Props {
  /** Accounts with the oldest bills, the connected ones among them told. */
  readonly accounts: readonly AccountRow[];
  /** How many there are. */
  readonly total: number;
  readonly spend: Answer<Spend>;
  readonly findings: Answer<Findings>;
  /** Changes when a sync has loaded something. */
  readonly loaded: string | null;
}

/** The overview of an organization that has costs: first what was spent, then what wants attention. */
export function Dashboard({ accounts, total, spend, findings, loaded }: Props) {
  return (
    <Stack gap="md">
      <Shown of={spend} skeleton={<Waiting />}>
        {(data) => <SpendPart spend={data} findings={findings} loaded={loaded} />}
      </Shown>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Shown of={findings} height={240}>
          {({ anomalies }) => <AnomaliesCard anomalies={anomalies} />}
        </Shown>
        <Shown of={findings} height={240}>
          {({ atRisk, budgets }) => <BudgetsCard atRisk={atRisk} all={budgets?.pagination.total ?? 0} />}
        </Shown>
        <Shown of={findings} height={240}>
          {({ recommendationsSummary }) => <SavingsCard summary={recommendationsSummary} />}
        </Shown>
        <FreshnessCard accounts={accounts} total={total} />
      </SimpleGrid>
    </Stack>
  );
}

interface SpendProps {
  readonly spend: Spend;
  readonly findings: Answer<Findings>;
  readonly loaded: string | null;
}

function SpendPart({ spend, findings, loaded }: SpendProps) {
  const { costsDaily } = spend;
  const month = monthToDate(spend, today());
  if (!costsDaily) return null;
  return (
    <Stack gap="md">
      <Headlines
        month={month}
        currency={costsDaily.currency}
        findings={findings}
        isRough={spend.forecast?.lowHistory ?? false}
      />
      <Unconverted costs={costsDaily.unconverted} currency={costsDaily.currency} />
      <TrendCard spend={spend} loaded={loaded} />
      {month && <TopCards month={month} loaded={loaded} />}
    </Stack>
  );
}

function Waiting() {
  return (
    <Stack gap="md">
      <Skeleton height={104} radius="md" aria-label="Loading" />
      <Skeleton height={340} radius="md" />
      <Skeleton height={260} radius="md" />
    </Stack>
  );
}
