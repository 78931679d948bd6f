import type { CoverageGap } from '../../../analysis/commitments/graphql-types.ts';
import { pageGaps } from '../../../analysis/commitments/run.ts';
import type { Coverage, CoverageDaily, CoverageDay, SplitPart } from '../../../facts/coverage/graphql-types.ts';
import { prepareCoverage, readDaily, readSplit } from '../../../facts/coverage/run.ts';
import { formatPercent, formatWord, type Section, type TimeChart } from '../document.ts';
import { argsOf } from '../filters.ts';
import { formatMoney } from '../../../kit/text/format.ts';
import { barChart, shareChart } from './charts.ts';
import { answerNotes, excludedFacts, missingNotes, notIncluded, excludedText } from './cost-parts.ts';
import { present, tableOf, totalsOf, field, type Field, type ReadDataSet } from './data-set.ts';

/** The page of all services and regions: its size exceeds their number. */
const all = { skip: 0, take: 1_000_000 } as const;

/** Reads how spend was paid for (commitments, spot or on demand), and where commitments would save. */
export const readCoverageReport: ReadDataSet = async ({ deps, scope, report }) => {
  const args = { ...argsOf('coverage', report.filters), startDate: report.startDate, endDate: report.endDate };
  const prepared = await prepareCoverage(deps, scope, args);
  const split = await readSplit(deps, prepared);
  const daily = await readDaily(deps, prepared);
  const { rows: gaps } = await pageGaps(deps, prepared, { ...all, sortBy: null });
  const { currency } = split;
  const shares = split.split.map(({ kind, cost }) => ({ label: formatWord(kind), value: cost }));
  const savings = gaps.map((gap) => ({ label: `${gap.service}, ${gap.region}`, value: gap.estimatedMonthlySavings }));
  return {
    subtitle: 'Effective cost by pricing model, and usage for which commitments would save the most.',
    summary: summaryOf(split),
    charts: present(
      shareChart('Cost by pricing model', currency, shares),
      coverageLine(daily),
      barChart('Largest potential savings per month', currency, savings),
    ),
    sections: [splitTable(split), dayTable(daily), gapTable(gaps, currency)],
    excluded: excludedText(split),
    notes: [...missingNotes(split.missingBills, notIncluded), ...answerNotes(split)],
  };
};

function summaryOf(split: Coverage) {
  const { currency, coveragePercent, utilizationPercent } = split;
  return present(
    coveragePercent === null ? null : { label: 'Coverage', value: formatPercent(coveragePercent) },
    utilizationPercent === null ? null : { label: 'Utilization', value: formatPercent(utilizationPercent) },
    { label: 'Total cost', value: formatMoney(split.totalCost, currency) },
    ...excludedFacts(split),
    { label: 'Eligible cost', value: formatMoney(split.eligibleCost, currency) },
    { label: 'Unused commitments', value: formatMoney(split.unusedCommitmentCost, currency) },
  );
}

function coverageLine({ days }: CoverageDaily): TimeChart | null {
  if (days.every(({ coveragePercent }) => coveragePercent === null)) return null;
  const values = days.map(({ coveragePercent }) => coveragePercent);
  const points = days.map(({ date }) => date);
  return {
    kind: 'lines',
    title: 'Coverage by day',
    unit: { kind: 'percent' },
    points,
    series: [{ label: 'Coverage', values }],
  };
}

function splitTable({ split, currency, totalCost }: Coverage): Section {
  const fields: Field<SplitPart>[] = [
    field('kind', 'Pricing model', { type: 'text', isWord: true }, ({ kind }) => kind),
    field('cost', 'Cost', { type: 'money', currency }, ({ cost }) => cost),
    field('percentage', 'Share', 'percent', ({ percentage }) => percentage),
  ];
  const totals = totalsOf(fields, { cost: totalCost, percentage: totalCost === 0 ? null : 100 });
  return tableOf({ key: 'split', title: 'Cost by pricing model' }, fields, split, totals);
}

function dayTable({ days, currency }: CoverageDaily): Section {
  const money = (key: string, label: string, of: (day: CoverageDay) => number) =>
    field(key, label, { type: 'money', currency }, of);
  const fields: Field<CoverageDay>[] = [
    field('date', 'Day', 'date', ({ date }) => date),
    money('reserved', 'Reserved', ({ reserved }) => reserved),
    money('savings_plan', 'Savings Plans', ({ savingsPlan }) => savingsPlan),
    money('spot', 'Spot', ({ spot }) => spot),
    money('on_demand', 'On-demand', ({ onDemand }) => onDemand),
    money('other', 'Other', ({ other }) => other),
    field('coverage_percent', 'Coverage', 'percent', ({ coveragePercent }) => coveragePercent),
  ];
  return tableOf({ key: 'days', title: 'By day' }, fields, days);
}

function gapTable(gaps: readonly CoverageGap[], currency: string): Section {
  const fields: Field<CoverageGap>[] = [
    field('service', 'Service', 'text', ({ service }) => service),
    field('region', 'Region', 'text', ({ region }) => region),
    field('provider', 'Provider', { type: 'text', isProvider: true }, ({ provider }) => provider),
    field('on_demand_cost', 'On-demand', { type: 'money', currency }, (gap) => gap.onDemandCost),
    field('covered_cost', 'Covered', { type: 'money', currency }, (gap) => gap.coveredCost),
    field('coverage_percent', 'Coverage', 'percent', (gap) => gap.coveragePercent),
    field(
      'estimated_monthly_savings',
      'Savings per month',
      { type: 'money', currency },
      (gap) => gap.estimatedMonthlySavings,
    ),
  ];
  return tableOf({ key: 'gaps', title: 'Coverage gaps' }, fields, gaps);
}
