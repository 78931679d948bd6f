import type { GroupedCosts, PeriodCost, RegionCost, ServiceCost } from '../../../facts/costs/graphql-types.ts';
import { costsByRegion, costsByService, costsSummary } from '../../../facts/costs/run.ts';
import { formatProvider } from '../../../kit/text/format.ts';
import type { Section } from '../document.ts';
import { costArgs } from '../filters.ts';
import { shareChart, stackedChart } from './charts.ts';
import { costHead, dailyBy, metricWords } from './cost-head.ts';
import { tableOf, totalsOf, type Field, type ReadDataSet } from './data-set.ts';

/** Reads spend by period, with its largest parts. */
export const readCostSummary: ReadDataSet = async (request) => {
  const { deps, scope, report } = request;
  const args = costArgs('cost_summary', report.filters);
  const days = { startDate: report.startDate, endDate: report.endDate };
  const answer = await costsSummary(deps, scope, { ...args, ...days });
  const { summary, notes } = await costHead(request, args, answer);
  const services = await costsByService(deps, scope, { ...args, ...days });
  const regions = await costsByRegion(deps, scope, { ...args, ...days });
  const [largest] = services.groups;
  const byService = await dailyBy(request, args, 'service');
  const providers = Map.groupBy(services.groups, ({ provider }) => provider);
  const shares = [...providers].map(([slug, own]) => ({
    label: formatProvider(slug),
    value: own.reduce((sum, { cost }) => sum + cost, 0),
  }));
  return {
    subtitle: `Total spend, as ${metricWords(answer)}.`,
    summary: [
      ...summary,
      { label: 'Services', value: String(services.groups.length) },
      ...(largest ? [{ label: 'Largest service', value: largest.service }] : []),
    ],
    charts: [stackedChart('service', byService), shareChart('Share of each provider', answer.currency, shares)].filter(
      (chart) => chart !== null,
    ),
    sections: [periodTable(answer), serviceTable(services), regionTable(regions)],
    notes,
  };
};

function periodTable({ granularity, periods, currency, totalCost }: Awaited<ReturnType<typeof costsSummary>>): Section {
  const fields: Field<PeriodCost>[] = [
    { key: 'period_start', label: 'From', type: 'date', of: ({ periodStart }) => periodStart },
    { key: 'period_end', label: 'Through', type: 'date', of: ({ periodEnd }) => periodEnd },
    { key: 'cost', label: 'Cost', type: 'money', currency, of: ({ cost }) => cost },
  ];
  const title = granularity === 'daily' ? 'Cost by day' : 'Cost by month';
  return tableOf({ key: 'periods', title }, fields, periods, totalsOf(fields, { cost: totalCost }));
}

/** Builds the table of spend by service. */
export function serviceTable({ groups, currency, totalCost }: GroupedCosts<ServiceCost>): Section {
  const fields: Field<ServiceCost>[] = [
    { key: 'service', label: 'Service', type: 'text', of: ({ service }) => service },
    { key: 'service_category', label: 'Category', type: 'text', of: ({ serviceCategory }) => serviceCategory },
    { key: 'provider', label: 'Provider', type: 'text', of: ({ provider }) => provider },
    { key: 'cost', label: 'Cost', type: 'money', currency, of: ({ cost }) => cost },
    { key: 'percentage', label: 'Share', type: 'percent', of: ({ percentage }) => percentage },
  ];
  const totals = totalsOf(fields, { cost: totalCost, percentage: totalCost === 0 ? null : 100 });
  return tableOf({ key: 'services', title: 'Cost by service' }, fields, groups, totals);
}

function regionTable({ groups, currency, totalCost }: GroupedCosts<RegionCost>): Section {
  const fields: Field<RegionCost>[] = [
    { key: 'region', label: 'Region', type: 'text', of: ({ region }) => region },
    { key: 'provider', label: 'Provider', type: 'text', of: ({ provider }) => provider },
    { key: 'cost', label: 'Cost', type: 'money', currency, of: ({ cost }) => cost },
    { key: 'percentage', label: 'Share', type: 'percent', of: ({ percentage }) => percentage },
  ];
  const totals = totalsOf(fields, { cost: totalCost, percentage: totalCost === 0 ? null : 100 });
  return tableOf({ key: 'regions', title: 'Cost by region' }, fields, groups, totals);
}
