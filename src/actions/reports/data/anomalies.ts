import { pageAnomalies } from '../../../analysis/anomalies/anomalies.ts';
import type { Conversion } from '../../../facts/currencies.ts';
import {
  type Amount,
  amountToNumber,
  changePercent,
  microsToNumber,
  parseAmount,
  roundAmount,
  type Micros,
} from '../../../kit/money.ts';
import { dayOf, monthOf } from '../../../kit/time/period.ts';
import { formatWord } from '../document.ts';
import { argsOf } from '../filters.ts';
import { formatCount, formatMoney } from '../../../kit/text/format.ts';
import { barChart, countChart } from './charts.ts';
import { conversionsOf, convertedCurrency, withConverted } from './conversions.ts';
import { excludedFacts } from './cost-parts.ts';
import { present, tableOfStream, pagesOf, field, type DataRequest, type Field, type ReadDataSet } from './data-set.ts';

const select = {
  id: true,
  accountId: true,
  provider: true,
  service: true,
  region: true,
  startDate: true,
  endDate: true,
  severity: true,
  status: true,
  expectedCost: true,
  actualCost: true,
  currency: true,
  detectedAt: true,
  statusReason: true,
} as const;

type StoredRow = Pick<Awaited<ReturnType<typeof pageAnomalies>>['rows'][number], keyof typeof select>;
type AnomalyRow = StoredRow & { readonly converted: Conversion | null };

const detail = { isDetail: true } as const;
const severities = ['critical', 'high', 'medium', 'low'] as const;

/** The fields of an anomaly for key figures and charts. */
type Impact = Pick<AnomalyRow, 'service' | 'currency' | 'severity' | 'status'> & {
  readonly impact: Amount;
  /** In the organization's currency; null without a rate. */
  readonly converted: Micros | null;
};

/** Reads the anomalies of the period, newest first. */
export const readAnomalies: ReadDataSet = async (request) => {
  const { deps, scope, report } = request;
  const days = { startDate: report.startDate, endDate: report.endDate };
  const args = { ...argsOf('anomalies', report.filters), ...days, sortBy: '-start_date' } as const;
  const page = async (skip: number, take: number) =>
    (await pageAnomalies(deps, scope, args, { skip, take, select })).rows;
  const conversionOf = conversionsOf(request);
  const rows = () =>
    withConverted(pagesOf<StoredRow>(page), ({ currency, startDate }) =>
      conversionOf({ currency, month: monthOf(dayOf(startDate)) }),
    );
  const impacts = await readImpacts(rows());
  const unconverted = unconvertedOf(impacts);
  const services = Map.groupBy(impacts, ({ service }) => service);
  const bars = [...services].map(([label, own]) => ({ label, value: sum(own) }));
  const bySeverity = severities.map((severity) => ({
    label: formatWord(severity),
    value: impacts.filter((one) => one.severity === severity).length,
  }));
  const about = { key: 'anomalies', title: 'Anomalies', rowCount: impacts.length };
  return {
    subtitle: 'Days in the period on which a service cost more than expected.',
    summary: [
      { label: 'Anomalies', value: formatCount(impacts.length) },
      { label: 'Open', value: formatCount(impacts.filter(({ status }) => status === 'open').length) },
      ...(impacts.length === 0 ? [] : [{ label: 'Total impact', value: formatMoney(sum(impacts), request.currency) }]),
      ...excludedFacts({ unconverted }),
      ...bySeverity
        .filter(({ value }) => value > 0)
        .map(({ label, value }) => ({ label: `${label} severity`, value: formatCount(value) })),
    ].slice(0, 6),
    charts: present(
      barChart('Impact by service', request.currency, bars),
      countChart('Anomalies by severity', bySeverity),
    ),
    sections: [tableOfStream(about, fieldsOf(request), rows())],
    notes: unconverted.map(
      ({ currency, cost }) =>
        `Impacts of ${formatMoney(cost, currency)} are excluded from the total, because ${currency} has no exchange rate for these days.`,
    ),
  };
};

async function readImpacts(rows: AsyncIterable<AnomalyRow>): Promise<Impact[]> {
  const impacts: Impact[] = [];
  for await (const row of rows) {
    const { service, currency, severity, status, converted: to } = row;
    const converted = to && to.micros(row.actualCost) - to.micros(row.expectedCost);
    impacts.push({ service, currency, severity, status, impact: impactOf(row), converted });
  }
  return impacts;
}

/** Sums the impacts without an exchange rate, by currency. */
function unconvertedOf(impacts: readonly Impact[]) {
  const without = impacts.filter(({ converted }) => converted === null);
  return [...Map.groupBy(without, ({ currency }) => currency)].map(([currency, own]) => ({
    currency,
    cost: amountToNumber(own.reduce((total, { impact }) => total + impact, 0n)),
  }));
}

/** Sums impacts in the organization's currency. */
function sum(impacts: readonly Impact[]): number {
  return microsToNumber(impacts.reduce((total, { converted }) => total + (converted ?? 0n), 0n));
}

function fieldsOf({ accountNames, currency: own, hasOtherCurrencies = false }: DataRequest): Field<AnomalyRow>[] {
  const money = (key: string, label: string, of: (row: AnomalyRow) => Amount) =>
    field(key, label, { type: 'money', currency: null }, (row: AnomalyRow) => amountToNumber(of(row)));
  const converted = (key: string, label: string, of: (row: AnomalyRow, to: Conversion) => number) =>
    field(key, label, { type: 'money', currency: own }, (row: AnomalyRow) => row.converted && of(row, row.converted));
  return [
    field('start_date', 'From', 'date', ({ startDate }) => dayOf(startDate)),
    field('end_date', 'Through', 'date', ({ endDate }) => dayOf(endDate)),
    field('service', 'Service', 'text', ({ service }) => service),
    field('region', 'Region', 'text', ({ region }) => region || null),
    field('account_name', 'Account', 'text', ({ accountId }) => accountNames.get(accountId) ?? ''),
    field('severity', 'Severity', { type: 'text', isWord: true }, ({ severity }) => severity),
    field('status', 'Status', { type: 'text', isWord: true }, ({ status }) => status),
    money('expected_cost', 'Expected', ({ expectedCost }) => amountOf(expectedCost)),
    money('actual_cost', 'Actual', ({ actualCost }) => amountOf(actualCost)),
    money('impact', 'Impact', impactOf),
    field('impact_percent', 'Impact in %', 'percent', impactPercent),
    field('currency', 'Currency', 'text', ({ currency }) => currency),
    ...(hasOtherCurrencies
      ? [
          { ...converted('converted_expected_cost', 'Expected', (row, to) => to.of(row.expectedCost)), ...detail },
          { ...converted('converted_actual_cost', 'Actual', (row, to) => to.of(row.actualCost)), ...detail },
          converted('converted_impact', 'Impact', ({ actualCost, expectedCost }, to) =>
            microsToNumber(to.micros(actualCost) - to.micros(expectedCost)),
          ),
          convertedCurrency(own),
        ]
      : []),
    field('detected_at', 'Detected', { type: 'instant', isDetail: true }, ({ detectedAt }) => detectedAt.toISOString()),
    field('provider', 'Provider', { type: 'text', isDetail: true, isProvider: true }, ({ provider }) => provider),
    field('status_reason', 'Reason', { type: 'text', isDetail: true }, ({ statusReason }) => statusReason),
    field('id', 'ID', { type: 'text', isDetail: true }, ({ id }) => id),
    field('account_id', 'Account ID', { type: 'text', isDetail: true }, ({ accountId }) => accountId),
  ];
}

function amountOf(decimal: { toFixed(): string }): Amount {
  return parseAmount(decimal.toFixed());
}

function impactOf({ actualCost, expectedCost }: StoredRow): Amount {
  return amountOf(actualCost) - amountOf(expectedCost);
}

function impactPercent({ actualCost, expectedCost }: StoredRow): number | null {
  return changePercent(roundAmount(amountOf(actualCost)), roundAmount(amountOf(expectedCost)));
}
