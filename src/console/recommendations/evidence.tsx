import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { isRecord } from '../api/refusal.ts';
import { type Column, DataTable } from '../parts/list/table.tsx';
import { Card, Facts } from '../parts/page/card.tsx';
import { count, days, money, words } from '../words/format.ts';
import type { RecommendationDetails } from './queries.ts';
import { typeName } from './types.ts';
import { detailName, detailText } from '../words/details.ts';

/** Observations, and how the saving was calculated. */
export function EvidenceCard({ recommendation }: { readonly recommendation: RecommendationDetails }) {
  const { evidence, currency } = recommendation;
  const read = useMemo(() => readEvidence(evidence, currency), [evidence, currency]);
  return (
    <Card title="Evidence">
      <Facts
        facts={[
          ['Days analyzed', read.window],
          ['Calculation', read.method],
          ...read.facts,
          ['Alternatives', read.alternatives.length > 0 ? <Alternatives read={read} currency={currency} /> : null],
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
            would save {money(monthlySavings, currency)} per month
          </Text>
        </div>
      ))}
    </>
  );
}

/** Charges that the saving is based on. Renders nothing if the evidence lists none. */
export function ChargesCard({ recommendation }: { readonly recommendation: RecommendationDetails }) {
  const { evidence, currency } = recommendation;
  const { charges } = useMemo(() => readEvidence(evidence, currency), [evidence, currency]);
  if (charges.length === 0) return null;
  const sum = (value: (charge: EvidenceCharge) => number) =>
    charges.reduce((total, charge) => total + value(charge), 0);
  const columns: Column<EvidenceCharge & { index: number }>[] = [
    { title: 'Charge', grow: true, cell: ({ meter }) => meter },
    {
      title: 'Quantity',
      align: 'right',
      hideOn: 'half',
      cell: ({ quantity, unit }) => (quantity === 0 && unit === '' ? '–' : `${count(quantity, 2)} ${unit}`),
    },
    { title: 'Costs', align: 'right', cell: ({ monthlyCost }) => money(monthlyCost, currency) },
    { title: 'Saves', align: 'right', cell: ({ monthlySavings }) => money(monthlySavings, currency) },
  ];
  return (
    <Card title="Charges" note="Quantities of the days analyzed; costs and savings per month" flush>
      <DataTable
        label="Monthly charges that the savings are based on"
        rows={charges.map((charge, index) => ({ ...charge, index }))}
        columns={columns}
        keyOf={({ index }) => String(index)}
        {...(charges.length > 1 && {
          foot: {
            Charge: 'Total',
            Costs: money(
              sum(({ monthlyCost }) => monthlyCost),
              currency,
            ),
            Saves: money(
              sum(({ monthlySavings }) => monthlySavings),
              currency,
            ),
          },
        })}
      />
    </Card>
  );
}

type Evidence = Readonly<Record<string, unknown>>;

/** Charge in the evidence, per month. */
interface EvidenceCharge {
  readonly meter: string;
  readonly unit: string;
  readonly quantity: number;
  readonly monthlyCost: number;
  readonly monthlySavings: number;
}

/** Alternative way to save the same money, superseded by this recommendation. */
export interface Alternative {
  readonly type: string;
  readonly monthlySavings: number;
}

/** Evidence parsed from the API's JSON. */
interface EvidenceRead {
  /** Evaluated date range. */
  readonly window: string | null;
  /** Calculation method, in words. */
  readonly method: string | null;
  readonly charges: readonly EvidenceCharge[];
  readonly alternatives: readonly Alternative[];
  /** All other evidence, as name and formatted value. */
  readonly facts: readonly (readonly [name: string, value: string])[];
}

const methods: Readonly<Record<string, string>> = {
  observed: 'Based on the account’s bills and prices',
  factor: 'Based on a documented share of the cost',
  upper_bound: 'The full cost, as an upper bound',
};

const shownElsewhere = new Set(['window_start', 'window_end', 'method', 'charges', 'alternatives']);

/** Parses evidence. Formats unknown keys generically; omits empty values. */
function readEvidence(evidence: Evidence, currency: string): EvidenceRead {
  const { window_start: from, window_end: to, method } = evidence;
  return {
    window: typeof from === 'string' && typeof to === 'string' ? days(from, to) : null,
    method: typeof method === 'string' ? (methods[method] ?? words(method)) : null,
    charges: listOf(evidence['charges']).map(chargeOf),
    alternatives: listOf(evidence['alternatives']).map(alternativeOf),
    facts: Object.entries(evidence).flatMap(([key, value]) => {
      const text = shownElsewhere.has(key) ? null : detailText(key, value, currency);
      return text === null ? [] : [[detailName(key), text] as const];
    }),
  };
}

function listOf(value: unknown): Evidence[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function chargeOf(charge: Evidence): EvidenceCharge {
  return {
    meter: String(charge['meter'] ?? ''),
    unit: String(charge['unit'] ?? ''),
    quantity: numberOf(charge['quantity']),
    monthlyCost: numberOf(charge['monthly_cost']),
    monthlySavings: numberOf(charge['monthly_savings']),
  };
}

function alternativeOf(alternative: Evidence): Alternative {
  return {
    type: String(alternative['type'] ?? ''),
    monthlySavings: numberOf(alternative['estimated_monthly_savings']),
  };
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
