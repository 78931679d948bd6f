import { Alert, Anchor, SimpleGrid, Stack } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { Link, useLocation, useParams } from 'wouter';
import { Act } from '../parts/form/menu.tsx';
import { useChannelsText } from '../parts/form/recipients.tsx';
import { useMay } from '../api/me.tsx';
import { useAnswer } from '../api/use-api.ts';
import { type Dimension, escaped } from '../costs/dimensions.ts';
import { costsHref, metrics } from '../costs/address.ts';
import { usePeople } from '../parts/choices/choices.tsx';
import { useScopeWords } from '../parts/choices/scope.tsx';
import { ConfirmButton } from '../parts/form/dialog.tsx';
import { CsvButton, queryOf } from '../parts/list/csv.tsx';
import { useUrlState } from '../parts/list/url-state.ts';
import { Card, Facts, FigureCard } from '../parts/page/card.tsx';
import { Caveats } from '../parts/page/caveats.tsx';
import { RecordPage, Shown } from '../parts/page/page.tsx';
import { today } from '../words/days.ts';
import { day, moment, money, percent, plainMoney, wholeMoney } from '../words/format.ts';
import { BurnChart, useBurn } from './burn-chart.tsx';
import { costBases } from './budget-form.tsx';
import { periodName, periods } from './period.ts';
import { BudgetQuery, DeleteBudget, type BudgetDetails } from './queries.ts';
import { ProjectedStatus, UsedMeter } from './status.tsx';
import { ThresholdsCard } from './thresholds-card.tsx';

/** Budget page: progress of the period and notifications. */
export function BudgetPage() {
  const { id = '' } = useParams<{ id: string }>();
  return (
    <RecordPage
      of={useAnswer(BudgetQuery, { id })}
      record={(data) => data.budget}
      noun="budget"
      crumbs={[['Budgets', '/budgets']]}
      reads={['view']}
      titleOf={({ name }) => name}
      leadOf={useScopeWords()}
      actionsOf={(budget) => <Actions budget={budget} />}
    >
      {(budget) => <BudgetBody budget={budget} />}
    </RecordPage>
  );
}

function Actions({ budget }: { readonly budget: BudgetDetails }) {
  const [, go] = useLocation();
  if (!useMay('budgets.write')) return null;
  return (
    <>
      <Act label="Edit" Icon={IconPencil} href={`/budgets/${budget.id}/edit`} />
      <ConfirmButton
        label="Delete"
        button={{ leftSection: <IconTrash size={15} aria-hidden /> }}
        title="Delete this budget?"
        verb="Delete budget"
        text={`“${budget.name}” and its alerts are deleted for everyone. Costs are not affected. This cannot be undone.`}
        mutation={DeleteBudget}
        variables={{ id: budget.id }}
        confirmation={`Budget ${budget.name} deleted`}
        onDone={() => go('/budgets', { replace: true })}
      />
    </>
  );
}

/** Budget page below the title. */
function BudgetBody({ budget }: { readonly budget: BudgetDetails }) {
  const state = useUrlState();
  const { of, progress } = useBurn(budget);
  const { currentSpend } = budget;
  const isComparable = progress?.currency === budget.currency;
  return (
    <Stack gap="md">
      <Caveats of={budget} />
      <Figures budget={budget} />
      <Card
        title={`Spend in ${periodName(budget.period, budget.periodStart)}`}
        note={noteOf(budget)}
        actions={<ChartActions budget={budget} />}
      >
        <Shown of={of} height={340}>
          {() => progress && <BurnChart budget={budget} progress={progress} state={state} />}
        </Shown>
      </Card>
      {progress && isComparable && isDifferent(progress.burn.total, currentSpend) && (
        <Alert color="yellow">
          The days above add up to {money(progress.burn.total, budget.currency)}. The budget counts{' '}
          {money(currentSpend, budget.currency)}: the costs of the accounts that its owner can access, at the time it
          was evaluated.
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: 'start' }}>
        <ThresholdsCard budget={budget} burn={progress && isComparable ? progress.burn : null} />
        <AboutCard budget={budget} />
      </SimpleGrid>
    </Stack>
  );
}

function isDifferent(total: number, spend: number | null): spend is number {
  return spend !== null && Math.abs(total - spend) > 0.01;
}

function noteOf({ completeThrough }: BudgetDetails): string {
  const complete = completeThrough ? `bills are complete through ${day(completeThrough)}` : 'no complete days yet';
  return `Through today; ${complete}`;
}

function Figures({ budget }: { readonly budget: BudgetDetails }) {
  const { amount, currency, currentSpend, remaining, percentUsed, forecastedSpend } = budget;
  const { noun } = periods[budget.period];
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md">
      <FigureCard
        label="Spent through today"
        value={currentSpend === null ? '–' : wholeMoney(currentSpend, currency)}
        below={`of ${plainMoney(amount, currency)}`}
      />
      <FigureCard
        label="Remaining"
        value={remaining === null ? '–' : wholeMoney(remaining, currency)}
        below={remaining !== null && remaining < 0 ? 'Over budget' : `until the end of the ${noun}`}
      />
      <FigureCard
        label="Used"
        value={
          <>
            {percentUsed !== null && percent(percentUsed)} <ProjectedStatus budget={budget} />
          </>
        }
        below={
          <div style={{ paddingTop: 8 }}>
            <UsedMeter budget={budget} label="Used" />
          </div>
        }
      />
      <FigureCard
        label={`Forecast for the ${noun}`}
        value={forecastedSpend === null ? '–' : wholeMoney(forecastedSpend, currency)}
        below={<ForecastWords amount={amount} forecast={forecastedSpend} currency={currency} />}
      />
    </SimpleGrid>
  );
}

interface ForecastProps {
  readonly amount: number;
  readonly forecast: number | null;
  readonly currency: string;
}

function ForecastWords({ amount, forecast, currency }: ForecastProps) {
  if (forecast === null) return <>No forecast yet</>;
  const over = forecast - amount;
  const share = percent((forecast / amount) * 100);
  if (over <= 0) return <>{`${share} of the budget`}</>;
  return <span style={{ color: 'var(--bad)' }}>{`${share} of the budget, ${money(over, currency)} over`}</span>;
}

function ChartActions({ budget }: { readonly budget: BudgetDetails }) {
  const { accountId, provider, service, subAccountId, tagKey, tagValue, costMetric, periodStart: from } = budget;
  const now = today();
  const metric = metrics.find((one) => one.toUpperCase() === costMetric) ?? 'effective';
  const query = queryOf({
    start_date: from,
    end_date: now,
    account_id: accountId,
    provider,
    service,
    sub_account_id: subAccountId,
    tag_key: tagKey,
    tag_value: tagValue,
    cost_metric: metric,
  });
  return (
    <>
      <Anchor
        component={Link}
        size="sm"
        href={costsHref({
          from,
          to: now,
          granularity: 'daily',
          metric,
          // The budget counts them, too, so both totals are the same.
          incomplete: 'true',
          account: accountId,
          provider,
          service,
          sub_account: subAccountId,
          ...(tagKey !== null && { [tagDimension(tagKey)]: tagValue === null ? '*' : escaped(tagValue) }),
        })}
      >
        View costs
      </Anchor>
      <CsvButton path={`/costs/daily${query}`} name="budget-days" isWhole />
    </>
  );
}

/** Dimension of a tag key in the cost explorer; `virtual:KEY` already is one. */
function tagDimension(tagKey: string): Dimension {
  return tagKey.startsWith('virtual:') ? (tagKey as Dimension) : `tag:${tagKey}`;
}

/** Scope and recipients of a budget. */
function AboutCard({ budget }: { readonly budget: BudgetDetails }) {
  const personOf = usePeople();
  const scopeWords = useScopeWords();
  const channelsText = useChannelsText();
  const owner = personOf(budget.createdById);
  return (
    <Card title="About this budget">
      <Facts
        facts={[
          [
            'Amount',
            `${plainMoney(budget.amount, budget.currency)} each calendar ${periods[budget.period].noun} (UTC)`,
          ],
          ['Scope', scopeWords(budget)],
          ['Cost metric', costBases[budget.costMetric].label],
          ['Owner', owner],
          ['Recipients', ['Owner', ...budget.emails].join(', ')],
          ['Channels', channelsText(budget)],
          ['Created', day(budget.createdAt.slice(0, 10))],
          ['Changed', moment(budget.updatedAt)],
        ]}
      />
    </Card>
  );
}
