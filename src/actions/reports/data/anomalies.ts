import { pageAnomalies } from '../../../analysis/anomalies/anomalies.ts';
import { type Amount, amountToNumber, changePercent, parseAmount, roundAmount } from '../../../kit/money.ts';
import { dayOf } from '../../../kit/time/period.ts';
import { type Fact, formatWord } from '../document.ts';
import { argsOf } from '../filters.ts';
import { formatCount, formatMoney } from '../../../kit/text/format.ts';
import { barChart, countChart } from './charts.ts';
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

type AnomalyRow = Pick<Awaited<ReturnType<typeof pageAnomalies>>['rows'][number], keyof typeof select>;

const severities = ['critical', 'high', 'medium', 'low'] as const;

/** The fields of an anomaly for key figures and charts. */
type Impact = Pick<AnomalyRow, 'service' | 'currency' | 'severity' | 'status'> & { readonly impact: Amount };

/** Reads the anomalies of the period, newest first. */
export const readAnomalies: ReadDataSet = async (request) => {
  const { deps, scope, report } = request;
  const days = { startDate: report.startDate, endDate: report.endDate };
  const args = { ...argsOf('anomalies', report.filters), ...days, sortBy: '-start_date' } as const;
  const page = async (skip: number, take: number) =>
    (await pageAnomalies(deps, scope, args, { skip, take, select })).rows;
  const impacts = await readImpacts(page);
  const main = largestCurrency(impacts) ?? request.currency;
  const services = Map.groupBy(
    impacts.filter(({ currency }) => currency === main),
    ({ service }) => service,
  );
  const bars = [...services].map(([label, own]) => ({ label, value: amountToNumber(sum(own)) }));
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
      ...impactFacts(impacts),
      ...bySeverity
        .filter(({ value }) => value > 0)
        .map(({ label, value }) => ({ label: `${label} severity`, value: formatCount(value) })),
    ].slice(0, 6),
    charts: present(barChart(chartTitle(impacts, main), main, bars), countChart('Anomalies by severity', bySeverity)),
    sections: [tableOfStream(about, fieldsOf(request), pagesOf(page))],
    notes: [],
  };
};

async function readImpacts(page: (skip: number, take: number) => Promise<AnomalyRow[]>): Promise<Impact[]> {
  const impacts: Impact[] = [];
  for await (const row of pagesOf(page)) {
    const { service, currency, severity, status } = row;
    impacts.push({ service, currency, severity, status, impact: impactOf(row) });
  }
  return impacts;
}

/** Sums impacts by currency: different currencies are never added. */
function impactFacts(impacts: readonly Impact[]): Fact[] {
  return [...Map.groupBy(impacts, ({ currency }) => currency)].map(([currency, own]) => ({
    label: 'Total impact',
    value: formatMoney(amountToNumber(sum(own)), currency),
  }));
}

/** Builds a chart title. A chart has one currency, which the title names if there are others. */
function chartTitle(impacts: readonly Impact[], main: string): string {
  const title = 'Impact by service';
  return impacts.every(({ currency }) => currency === main) ? title : `${title}, in ${main} only`;
}

function largestCurrency(impacts: readonly Impact[]): string | null {
  const groups = [...Map.groupBy(impacts, ({ currency }) => currency)].sort(([, a], [, b]) => b.length - a.length);
  return groups[0]?.[0] ?? null;
}

function sum(impacts: readonly Impact[]): Amount {
  return impacts.reduce((total, { impact }) => total + impact, 0n);
}

function fieldsOf({ accountNames }: DataRequest): Field<AnomalyRow>[] {
  const money = (key: string, label: string, of: (row: AnomalyRow) => Amount) =>
    field(key, label, { type: 'money', currency: null }, (row: AnomalyRow) => amountToNumber(of(row)));
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
    field('detected_at', 'Detected', { type: 'instant', isDetail: true }, ({ detectedAt }) => detectedAt.toISOString()),
    field('provider', 'Provider', { type: 'text', isDetail: true }, ({ provider }) => provider),
    field('status_reason', 'Reason', { type: 'text', isDetail: true }, ({ statusReason }) => statusReason),
    field('id', 'ID', { type: 'text', isDetail: true }, ({ id }) => id),
    field('account_id', 'Account ID', { type: 'text', isDetail: true }, ({ accountId }) => accountId),
  ];
}

function amountOf(decimal: { toFixed(): string }): Amount {
  return parseAmount(decimal.toFixed());
}

function impactOf({ actualCost, expectedCost }: AnomalyRow): Amount {
  return amountOf(actualCost) - amountOf(expectedCost);
}

function impactPercent({ actualCost, expectedCost }: AnomalyRow): number | null {
  return changePercent(roundAmount(amountOf(actualCost)), roundAmount(amountOf(expectedCost)));
}
