import { SimpleGrid, Stack } from '@mantine/core';
import { ShareBar } from '../charts/bar-list.tsx';
import { rest } from '../charts/legend.tsx';
import { DataTable, TwoLines, type Column } from '../parts/list/table.tsx';
import { Card, FigureCard, Unconverted } from '../parts/page/card.tsx';
import { days as daysText, money, percent } from '../words/format.ts';
import classes from './coverage.module.css';
import type { Coverage, CoverageDaily } from './queries.ts';

/** Metrics of the range, and how its costs are split. */
export function CoverageBody({ coverage }: { readonly coverage: Coverage }) {
  const { currency, unconverted, startDate, endDate } = coverage;
  return (
    <Stack gap="md">
      <Unconverted costs={unconverted} currency={currency} />
      <Figures coverage={coverage} />
      <Card title="Costs by pricing model" note={daysText(startDate, endDate)} flush>
        <Split coverage={coverage} />
      </Card>
    </Stack>
  );
}

function Figures({ coverage }: { readonly coverage: Coverage }) {
  const { currency, coveragePercent, utilizationPercent, unusedCommitmentCost } = coverage;
  const onDemand = coverage.split.find(({ kind }) => kind === 'ON_DEMAND')?.cost ?? 0;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="md">
      <FigureCard
        label="Coverage"
        value={coveragePercent === null ? '–' : percent(coveragePercent)}
        below={eligibleText(coverage)}
      />
      <FigureCard
        label="Utilization"
        value={utilizationPercent === null ? '–' : percent(utilizationPercent)}
        below={utilizationPercent === null ? 'No commitments' : 'of the commitment cost was used'}
      />
      <FigureCard
        label="Unused commitment cost"
        value={money(unusedCommitmentCost, currency)}
        below="paid but unused"
      />
      <FigureCard label="On demand" value={money(onDemand, currency)} below="eligible but not covered" />
    </SimpleGrid>
  );
}

function eligibleText({ currency, coveragePercent, eligibleCost, coveredCost, unrecognizedCost }: Coverage): string {
  if (coveragePercent === null) return 'No usage eligible for commitments';
  const text = `${money(coveredCost, currency)} of ${money(eligibleCost, currency)}, at on-demand prices`;
  return unrecognizedCost > 0
    ? `${text}; at least, as ${money(unrecognizedCost, currency)} is of unknown meters`
    : text;
}

interface Part {
  readonly key: Coverage['split'][number]['kind'];
  readonly label: string;
  readonly colour: string;
  readonly cost: number;
  readonly percentage: number | null;
}

function Split({ coverage: { split, currency, totalCost } }: { readonly coverage: Coverage }) {
  const parts: Part[] = kinds.map(({ key, label, colour }) => {
    const part = split.find(({ kind }) => kind === key);
    return { key, label, colour, cost: part?.cost ?? 0, percentage: part?.percentage ?? null };
  });
  const said = parts.map(({ label, percentage }) => `${label} ${percentage === null ? '–' : percent(percentage)}`);
  return (
    <>
      <div className={classes.bar}>
        <ShareBar
          label={`Shares: ${said.join(', ')}`}
          parts={parts.map(({ key, cost, colour }) => ({ key, colour, value: cost }))}
        />
      </div>
      <DataTable
        label="Costs by pricing model"
        rows={parts}
        columns={columnsOf(currency)}
        keyOf={({ key }) => key}
        foot={{ 'Pricing model': 'Total', Cost: money(totalCost, currency), Share: totalCost === 0 ? '–' : '100%' }}
      />
    </>
  );
}

function columnsOf(currency: string): Column<Part>[] {
  return [
    {
      title: 'Pricing model',
      grow: true,
      cell: ({ key, label, colour }) => (
        <TwoLines
          top={
            <>
              <span className={classes.swatch} style={{ background: colour }} /> {label}
            </>
          }
          below={meanings[key]}
        />
      ),
    },
    { title: 'Cost', align: 'right', cell: ({ cost }) => money(cost, currency) },
    { title: 'Share', align: 'right', cell: ({ percentage }) => (percentage === null ? '–' : percent(percentage)) },
  ];
}

type Kind = Coverage['split'][number]['kind'];
type Day = CoverageDaily['days'][number];

/** Payment kinds with label, colour and field of a day; bottom of the bar first. */
export const kinds = [
  { key: 'RESERVED', label: 'Reserved', colour: 'var(--chart-1)', of: (day: Day) => day.reserved },
  { key: 'SAVINGS_PLAN', label: 'Savings plans', colour: 'var(--chart-5)', of: (day: Day) => day.savingsPlan },
  { key: 'SPOT', label: 'Spot', colour: 'var(--chart-4)', of: (day: Day) => day.spot },
  { key: 'ON_DEMAND', label: 'On demand', colour: 'var(--chart-3)', of: (day: Day) => day.onDemand },
  { key: 'OTHER', label: 'Other', colour: rest, of: (day: Day) => day.other },
] as const satisfies readonly { key: Kind; label: string; colour: string; of: (day: Day) => number }[];

/** Explanation of each kind. */
const meanings: Readonly<Record<Kind, string>> = {
  RESERVED: 'Reservations, including unused ones',
  SAVINGS_PLAN: 'Savings Plans and committed spend, including unused commitments',
  SPOT: 'Usage at spot prices',
  ON_DEMAND: 'Eligible for commitments but not covered',
  OTHER: 'Not eligible for commitments: storage, transfer, tax, support, credits',
};
