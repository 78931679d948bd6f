import { SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { useMemo } from 'react';
import type { AccountRow } from '../accounts/queries.ts';
import type { Answer } from '../api/use-answer.ts';
import { Shown } from '../parts/shown.tsx';
import { Unconverted } from '../parts/unconverted.tsx';
import { today } from '../words/days.ts';
import { AnomaliesCard } from './anomalies-card.tsx';
import { BudgetsCard } from './budgets-card.tsx';
import { FreshnessCard } from './freshness-card.tsx';
import { Headlines } from './headlines.tsx';
import { monthToDate, type MonthToDate } from './month.ts';
import type { Findings, Spend } from './queries.ts';
import { SavingsCard } from './savings-card.tsx';
import { TopAccounts, TopServices } from './top-cards.tsx';
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

/** The overview of an organization that has costs: first what was spent, then what it is made of and what wants attention. */
export function Dashboard({ accounts, total, spend, findings, loaded }: Props) {
  const month = useMemo(() => spend.data && monthToDate(spend.data, today()), [spend.data]);
  return (
    <Stack gap="md">
      <Shown of={spend} skeleton={<Waiting />}>
        {(data) => <SpendPart spend={data} month={month} findings={findings} loaded={loaded} />}
      </Shown>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Stack gap="md">
          {month && <TopServices month={month} loaded={loaded} />}
          <Shown of={findings} height={240}>
            {({ anomalies }) => <AnomaliesCard anomalies={anomalies} />}
          </Shown>
          <FreshnessCard accounts={accounts} total={total} />
        </Stack>
        <Stack gap="md">
          {month && <TopAccounts month={month} loaded={loaded} />}
          <Shown of={findings} height={240}>
            {({ atRisk, budgets }) => <BudgetsCard atRisk={atRisk} all={budgets?.pagination.total ?? 0} />}
          </Shown>
          <Shown of={findings} height={240}>
            {({ recommendationsSummary }) => <SavingsCard summary={recommendationsSummary} />}
          </Shown>
        </Stack>
      </SimpleGrid>
    </Stack>
  );
}

interface SpendProps {
  readonly spend: Spend;
  readonly month: MonthToDate | null;
  readonly findings: Answer<Findings>;
  readonly loaded: string | null;
}

function SpendPart({ spend, month, findings, loaded }: SpendProps) {
  const { costsDaily, forecast } = spend;
  if (!costsDaily) return null;
  const { currency, unconverted } = costsDaily;
  return (
    <Stack gap="md">
      <Headlines month={month} currency={currency} findings={findings} isRough={forecast?.lowHistory ?? false} />
      <Unconverted costs={unconverted} currency={currency} />
      <TrendCard spend={spend} loaded={loaded} />
    </Stack>
  );
}

function Waiting() {
  return (
    <Stack gap="md">
      <Skeleton height={104} radius="md" aria-label="Loading" />
      <Skeleton height={340} radius="md" />
    </Stack>
  );
}
