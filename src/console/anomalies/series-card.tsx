import { Box, Group, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { useAnswer } from '../api/use-api.ts';
import { Legend, type LegendItem } from '../charts/legend.tsx';
import { LineChart, type Band, type Line } from '../charts/line-chart.tsx';
import { costsHref } from '../costs/address.ts';
import { DataTable, PhoneNote, TwoLines, type Column } from '../parts/list/table.tsx';
import { Card, Track } from '../parts/page/card.tsx';
import { TextLink } from '../parts/page/page.tsx';
import { day, days, money, shortDay, percent, signedMoney, words } from '../words/format.ts';
import { InventoryQuery } from '../inventory/queries.ts';
import { withRest, type Driver, type Row } from './drivers.ts';
import type { AnomalyDetails } from './queries.ts';
import { CostsByAccount } from '../costs/totals.ts';

const bandColour = 'var(--chart-2)';

/** Actual and expected cost, with the anomaly's days highlighted. */
export function SeriesCard({ anomaly }: { readonly anomaly: AnomalyDetails }) {
  const { series, startDate, endDate, currency, service } = anomaly;
  const places = useMemo(() => series.map(({ date }) => ({ label: shortDay(date), title: day(date) })), [series]);
  const lines = useMemo(() => linesOf(series), [series]);
  const bands = useMemo(() => bandsOf(series), [series]);
  const marked = useMemo(() => markedOf(series, startDate, endDate), [series, startDate, endDate]);
  const label =
    `Cost of ${service} per day: ${days(startDate, endDate)} came to ${money(anomaly.actualCost, currency)}, ` +
    `expected cost ${money(anomaly.expectedCost, currency)}`;
  return (
    <Card title="Cost per day" note={noteOf(anomaly)} actions={<ExplorerLink anomaly={anomaly} />}>
      <Stack gap="xs">
        <LineChart
          label={label}
          places={places}
          lines={lines}
          bands={bands}
          {...(marked && { marked })}
          currency={currency}
          height={260}
        />
        <Legend items={legendOf(bands.length > 0)} />
      </Stack>
    </Card>
  );
}

function noteOf({ currency, converted }: AnomalyDetails): string {
  const basis = 'Usage at effective cost';
  return converted && converted.currency !== currency ? `${basis}, in ${currency} as billed` : basis;
}

function ExplorerLink({ anomaly }: { readonly anomaly: AnomalyDetails }) {
  const href = costsHref({
    from: anomaly.startDate,
    to: anomaly.endDate,
    granularity: 'daily',
    drill: 'true',
    account: anomaly.accountId,
    provider: anomaly.provider,
    service: anomaly.service,
    charge_category: 'usage',
  });
  return (
    <TextLink href={href}>
      {anomaly.startDate === anomaly.endDate ? 'View this day in Costs' : 'View these days in Costs'}
    </TextLink>
  );
}

type Series = AnomalyDetails['series'];

function linesOf(series: Series): Line[] {
  return [
    {
      key: 'expected',
      label: 'Expected',
      colour: bandColour,
      isDashed: true,
      isQuiet: true,
      values: series.map(({ expectedCost }) => expectedCost),
    },
    { key: 'cost', label: 'Cost', colour: 'var(--chart-1)', values: series.map(({ cost }) => cost) },
  ];
}

/** Days evaluated before bands were stored have none. */
function bandsOf(series: Series): Band[] {
  if (series.every(({ expectedHigh }) => expectedHigh === null)) return [];
  return [
    {
      key: 'band',
      label: 'Expected range',
      colour: bandColour,
      opacity: 0.15,
      low: series.map(({ expectedLow }) => expectedLow),
      high: series.map(({ expectedHigh }) => expectedHigh),
    },
  ];
}

function markedOf(series: Series, from: string, to: string): readonly [number, number] | null {
  const first = series.findIndex(({ date }) => date >= from && date <= to);
  const last = series.findLastIndex(({ date }) => date >= from && date <= to);
  return first < 0 ? null : [first, last];
}

function legendOf(hasBand: boolean): LegendItem[] {
  return [
    { key: 'cost', label: 'Cost', colour: 'var(--chart-1)' },
    { key: 'expected', label: 'Expected', colour: bandColour, isDashed: true },
    ...(hasBand
      ? [
          {
            key: 'band',
            label: 'Expected range',
            colour: `color-mix(in srgb, ${bandColour} 30%, var(--surface))`,
          },
        ]
      : []),
    { key: 'days', label: 'Days of the anomaly', colour: 'color-mix(in srgb, var(--bad) 25%, var(--surface))' },
  ];
}

/** Names of the dimensions, as in Costs. */
const dimensions: Readonly<Record<Driver['dimension'], string>> = {
  REGION: 'Region',
  SUB_ACCOUNT: 'Sub-account',
  VIRTUAL_TAG: 'Virtual tag',
  RESOURCE: 'Resource',
  USAGE_TYPE: 'Meter',
  PRICING: 'Pricing',
};

function dimensionName({ dimension, key }: Row): string {
  return key ?? dimensions[dimension];
}

/** Cost difference broken down by one dimension after another. */
export function DriversCard({ anomaly }: { readonly anomaly: AnomalyDetails }) {
  const { drivers } = anomaly.explanation;
  if (drivers.length === 0) return null;
  const columns: Column<Row>[] = [
    { title: 'Dimension', cell: dimensionName, hideOn: 'phone' },
    {
      title: 'Value',
      grow: true,
      cell: (driver) => (
        <>
          <PhoneNote>{dimensionName(driver)}</PhoneNote>
          <DriverValue driver={driver} anomaly={anomaly} />
        </>
      ),
    },
    { title: 'Difference', align: 'right', cell: ({ change }) => signedMoney(change, anomaly.currency) },
    { title: 'Share', cell: ({ share }) => <Share percent={share} /> },
  ];
  return (
    <Card title="Cost drivers" note="Each breakdown adds up to the whole difference" flush>
      <DataTable
        label="Cost drivers"
        rows={withRest(drivers, anomaly.impact)}
        columns={columns}
        keyOf={({ dimension, key, value }) => `${dimension} ${key} ${value}`}
      />
    </Card>
  );
}

function Share({ percent: share }: { readonly percent: number }) {
  return (
    <Group gap={8} wrap="nowrap">
      <Box w={72} visibleFrom="xs" aria-hidden>
        <Track percent={share} />
      </Box>
      <span>{percent(share)}</span>
    </Group>
  );
}

interface ValueProps {
  readonly driver: Row;
  readonly anomaly: AnomalyDetails;
}

function DriverValue({ driver, anomaly }: ValueProps) {
  const { dimension, value } = driver;
  if (value === null) return <Text size="sm">Others</Text>;
  if (value === '') return <Text size="sm">Not specified on the bill</Text>;
  switch (dimension) {
    case 'RESOURCE':
      return <ResourceValue nativeId={value} accountId={anomaly.accountId} />;
    case 'SUB_ACCOUNT':
      return <SubAccountValue id={value} anomaly={anomaly} />;
    case 'PRICING':
      return words(value);
    case 'REGION':
    case 'VIRTUAL_TAG':
    case 'USAGE_TYPE':
      return value;
    default:
      return dimension satisfies never;
  }
}

/** Resource by its provider ID; a link if it is in the inventory. */
function ResourceValue({ nativeId, accountId }: { readonly nativeId: string; readonly accountId: string }) {
  const { data } = useAnswer(
    InventoryQuery,
    { accountId: [accountId], search: nativeId, includeGone: true, perPage: 5 },
    { pause: nativeId.length > 500 },
  );
  const folded = nativeId.toLowerCase();
  const found = data?.inventory?.data.find((resource) => resource.nativeId.toLowerCase() === folded);
  if (!found) return nativeId;
  return <TwoLines top={<Link href={`/inventory/${found.id}`}>{found.name}</Link>} below={nativeId} />;
}

function SubAccountValue({ id, anomaly }: { readonly id: string; readonly anomaly: AnomalyDetails }) {
  const { accountId, startDate, endDate } = anomaly;
  const { data } = useAnswer(CostsByAccount, { accountId: [accountId], startDate, endDate });
  const all = data?.costsByAccount?.groups.flatMap(({ subAccounts }) => subAccounts) ?? [];
  const name = all.find(({ subAccountId }) => subAccountId === id)?.subAccountName;
  return name && name !== id ? <TwoLines top={name} below={id} /> : id;
}
