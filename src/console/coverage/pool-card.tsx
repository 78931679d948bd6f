import { Text } from '@mantine/core';
import { DataTable, TwoLines, type Column } from '../parts/list/table.tsx';
import { Card } from '../parts/page/card.tsx';
import { providerName } from '../../kit/text/provider-name.ts';
import { counted, money, percent, plainPercent, words } from '../words/format.ts';
import type { Commitment } from './queries.ts';

interface Props {
  readonly pool: Pool;
  /** Usage change for the sensitivity analysis, in percent. */
  readonly usageChange: number;
}

/** Alternative commitments for a pool of usage, of which one would be bought. */
export function PoolCard({ pool, usageChange }: Props) {
  const { provider, product, accountName, region, family, services, kind } = pool.first;
  const best = bestOf(pool);
  const place = region ?? 'every region';
  const about = new Set([providerName(provider), accountName, place, family, words(kind), services.join(', ')]);
  return (
    <Card
      title={product}
      note={[...about].filter(Boolean).join(' · ')}
      actions={
        <Text size="sm" fw={600} className="figures">
          Up to {money(best.estimatedMonthlySavings, best.currency)} per month
        </Text>
      }
      flush
    >
      <DataTable
        label={`Commitments for ${product}, ${place}`}
        rows={pool.alternatives}
        columns={columnsOf(usageChange)}
        keyOf={({ termMonths, payment }) => `${termMonths} ${payment}`}
      />
      <Text component="div" size="xs" c="dimmed" px={16} pt={4} pb={14}>
        {usageOf(pool.first)}
      </Text>
    </Card>
  );
}

const right = { align: 'right' } as const;

function columnsOf(usageChange: number): Column<Commitment>[] {
  return [
    {
      title: 'Term',
      cell: ({ termMonths, payment }) => <TwoLines top={counted(termMonths / 12, 'year')} below={words(payment)} />,
    },
    { title: 'Commitment', ...right, cell: (row) => <Commits row={row} /> },
    {
      title: 'Savings per month',
      ...right,
      cell: ({ estimatedMonthlySavings, savingsPercent, currency }) => (
        <TwoLines top={money(estimatedMonthlySavings, currency)} below={percent(savingsPercent)} />
      ),
    },
    {
      title: `Usage −${plainPercent(usageChange)} / +${plainPercent(usageChange)}`,
      hideOn: 'phone',
      ...right,
      cell: ({ sensitivity, currency }) => (
        <>
          <span style={{ color: sensitivity.low < 0 ? 'var(--bad)' : undefined }}>
            {money(sensitivity.low, currency)}
          </span>
          {` / ${money(sensitivity.high, currency)}`}
        </>
      ),
    },
    {
      title: 'Utilization',
      hideOn: 'tablet',
      ...right,
      cell: ({ expectedUtilizationPercent }) => percent(expectedUtilizationPercent),
    },
    {
      title: 'Coverage after',
      hideOn: 'tablet',
      ...right,
      cell: ({ coverageAfterPercent }) => percent(coverageAfterPercent),
    },
    {
      title: 'Break-even',
      hideOn: 'tablet',
      ...right,
      cell: ({ breakEvenMonths }) => counted(breakEvenMonths, 'month'),
    },
    {
      title: 'Discount',
      hideOn: 'tablet',
      ...right,
      cell: ({ discountPercent, discountMethod }) => (
        <TwoLines top={percent(discountPercent)} below={words(discountMethod)} />
      ),
    },
  ];
}

function Commits({
  row: { hourlyCommitment, upfrontPayment, monthlyPayment, currency },
}: {
  readonly row: Commitment;
}) {
  const paid = [
    ...(upfrontPayment > 0 ? [`${money(upfrontPayment, currency)} upfront`] : []),
    ...(monthlyPayment > 0 ? [`${money(monthlyPayment, currency)} per month`] : []),
  ];
  return (
    <TwoLines
      top={`${money(hourlyCommitment, currency)} per hour`}
      below={paid.map((part) => (
        <div key={part}>{part}</div>
      ))}
    />
  );
}

/** Describes the usage in sentences. */
function usageOf(one: Commitment): string {
  const { onDemandCostPerHour, flaggedCostPerHour, expiringCostPerHour, historyDays, hourlyPercent, currency } = one;
  const hour = (value: number) => `${money(value, currency)} per hour`;
  return [
    `${hour(onDemandCostPerHour)} on demand, the average of ${counted(historyDays, 'day')}.`,
    flaggedCostPerHour > 0 &&
      `${hour(flaggedCostPerHour)} of it is for resources that a recommendation would remove; excluded from the plan.`,
    expiringCostPerHour > 0 &&
      `${hour(expiringCostPerHour)} more is covered by commitments that end soon; included in the plan.`,
    hourlyPercent > 0
      ? `${percent(hourlyPercent)} of it is based on hourly billing data.`
      : 'Daily billing data; hourly variation is estimated.',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Usage that one kind of commitment can cover, with alternative commitments: buy one of them, not all. */
interface Pool {
  readonly key: string;
  readonly first: Commitment;
  readonly alternatives: readonly [Commitment, ...Commitment[]];
}

/** Groups alternatives into pools, in API order: highest possible saving first. */
export function poolsOf(commitments: readonly Commitment[]): Pool[] {
  const pools = new Map<string, [Commitment, ...Commitment[]]>();
  for (const one of commitments) {
    const { accountId, provider, product, region, family, services } = one;
    const key = JSON.stringify([accountId, provider, product, region, family, services]);
    const found = pools.get(key);
    if (found) found.push(one);
    else pools.set(key, [one]);
  }
  return [...pools].map(([key, alternatives]) => ({ key, first: alternatives[0], alternatives }));
}

/** Alternative with the highest saving. */
function bestOf({ first, alternatives }: Pool): Commitment {
  return alternatives.reduce(
    (best, one) => (one.estimatedMonthlySavings > best.estimatedMonthlySavings ? one : best),
    first,
  );
}
