import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { Card } from '../parts/card.tsx';
import { Facts } from '../parts/facts.tsx';
import { DataTable, type Column } from '../parts/table.tsx';
import { count, money } from '../words/format.ts';
import { readEvidence, type EvidenceCharge, type EvidenceRead } from './evidence.ts';
import type { RecommendationDetails } from './queries.ts';
import { typeName } from './types.ts';

/** What was seen, and how the figure was made. */
export function EvidenceCard({ recommendation }: { readonly recommendation: RecommendationDetails }) {
  const { evidence, currency } = recommendation;
  const read = useMemo(() => readEvidence(evidence, currency), [evidence, currency]);
  return (
    <Card title="Evidence">
      <Facts
        facts={[
          ['Days looked at', read.window],
          ['How the figure was made', read.method],
          ...read.facts,
          ['Gave way to this', read.alternatives.length > 0 ? <Alternatives read={read} currency={currency} /> : null],
        ]}
      />
    </Card>
  );
}

function Alternatives({ read, currency }: { readonly read: EvidenceRead; readonly currency: string }) {
  return (
    <>
      {read.alternatives.map(({ type, monthlySavings }) => (
        <div key={type}>
          {typeName(type)}{' '}
          <Text component="span" size="sm" c="dimmed">
            would save {money(monthlySavings, currency)} a month
          </Text>
        </div>
      ))}
    </>
  );
}

/** The charges that the saving is taken from; nothing where the evidence names none. */
export function ChargesCard({ recommendation }: { readonly recommendation: RecommendationDetails }) {
  const { evidence, currency } = recommendation;
  const { charges } = useMemo(() => readEvidence(evidence, currency), [evidence, currency]);
  if (charges.length === 0) return null;
  const sum = (value: (charge: EvidenceCharge) => number) =>
    charges.reduce((total, charge) => total + value(charge), 0);
  const columns: Column<EvidenceCharge & { index: number }>[] = [
    { key: 'meter', title: 'Charge', grow: true, cell: ({ meter }) => meter },
    {
      key: 'quantity',
      title: 'Quantity',
      align: 'right',
      hideOn: 'half',
      cell: ({ quantity, unit }) => (quantity === 0 && unit === '' ? '–' : `${count(quantity, 2)} ${unit}`),
    },
    { key: 'cost', title: 'Costs', align: 'right', cell: ({ monthlyCost }) => money(monthlyCost, currency) },
    { key: 'savings', title: 'Saves', align: 'right', cell: ({ monthlySavings }) => money(monthlySavings, currency) },
  ];
  return (
    <Card title="Charges" note="In a month" flush>
      <DataTable
        label="Charges that the saving is taken from, in a month"
        rows={charges.map((charge, index) => ({ ...charge, index }))}
        columns={columns}
        keyOf={({ index }) => String(index)}
        {...(charges.length > 1 && {
          foot: {
            meter: 'Total',
            cost: money(
              sum(({ monthlyCost }) => monthlyCost),
              currency,
            ),
            savings: money(
              sum(({ monthlySavings }) => monthlySavings),
              currency,
            ),
          },
        })}
      />
    </Card>
  );
}
