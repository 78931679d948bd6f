import { SimpleGrid, Stack } from '@mantine/core';
import { ShareBar } from '../charts/share-bar.tsx';
import { Card } from '../parts/card.tsx';
import { FigureCard } from '../parts/figure-card.tsx';
import { DataTable, TwoLines, type Column } from '../parts/table.tsx';
import { Unconverted } from '../parts/unconverted.tsx';
import { days as daysText, money, percent } from '../words/format.ts';
import classes from './coverage.module.css';
import { kinds, meanings } from './kinds.ts';
import type { Coverage } from './queries.ts';

/** The figures of the days, and how their costs are split. */
export function CoverageBody({ coverage }: { readonly coverage: Coverage }) {
  const { currency, unconverted, startDate, endDate } = coverage;
  return (
    <Stack gap="md">
      <Unconverted costs={unconverted} currency={currency} />
      <Figures coverage={coverage} />
      <Card title="How costs are paid for" note={daysText(startDate, endDate)} flush>
        <Split coverage={coverage} />
      </Card>
    </Stack>
  );
}

function Figures({ coverage }: { readonly coverage: Coverage }) {
  const { currency, coveragePercent, utilizationPercent, unusedCommitmentCost, eligibleCost, coveredCost } = coverage;
  const onDemand = coverage.split.find(({ kind }) => kind === 'ON_DEMAND')?.cost ?? 0;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="md">
      <FigureCard
        label="Coverage"
        value={coveragePercent === null ? '–' : percent(coveragePercent)}
        below={
          coveragePercent === null
            ? 'Nothing that a commitment could cover'
            : `${money(coveredCost, currency)} of ${money(eligibleCost, currency)}, at on-demand prices`
        }
      />
      <FigureCard
        label="Utilization"
        value={utilizationPercent === null ? '–' : percent(utilizationPercent)}
        below={utilizationPercent === null ? 'There are no commitments' : 'of what the commitments cost was used'}
      />
      <FigureCard
        label="Unused commitment cost"
        value={money(unusedCommitmentCost, currency)}
        below="paid for, and not used"
      />
      <FigureCard label="On demand" value={money(onDemand, currency)} below="could be covered, and is not" />
    </SimpleGrid>
  );
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
        label="Costs by how they are paid for"
        rows={parts}
        columns={columnsOf(currency)}
        keyOf={({ key }) => key}
        foot={{ kind: 'Total', cost: money(totalCost, currency), share: totalCost === 0 ? '–' : '100%' }}
      />
    </>
  );
}

function columnsOf(currency: string): Column<Part>[] {
  return [
    {
      key: 'kind',
      title: 'Paid for',
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
    { key: 'cost', title: 'Cost', align: 'right', cell: ({ cost }) => money(cost, currency) },
    {
      key: 'share',
      title: 'Share',
      align: 'right',
      cell: ({ percentage }) => (percentage === null ? '–' : percent(percentage)),
    },
  ];
}
