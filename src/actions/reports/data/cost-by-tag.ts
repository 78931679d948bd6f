import type { GroupedCosts, TagCost } from '../../../facts/costs/graphql-types.ts';
import { costsByTag } from '../../../facts/costs/run.ts';
import { valueName } from '../../../facts/costs/csv.ts';
import { formatPercent, type Section } from '../document.ts';
import { costArgs } from '../filters.ts';
import { barChart, shareChart } from './charts.ts';
import { costHead, metricWords } from './cost-head.ts';
import { tableOf, totalsOf, type Field, type ReadDataSet } from './data-set.ts';

/** Reads the cost of each value of a tag key. */
export const readCostByTag: ReadDataSet = async (request) => {
  const { deps, scope, report } = request;
  const args = costArgs('cost_by_tag', report.filters);
  const answer = await costsByTag(deps, scope, { ...args, startDate: report.startDate, endDate: report.endDate });
  // Earlier costs are of the same charges: of all, unless values are selected.
  const { summary, notes } = await costHead(request, args.tagValue || args.untagged ? args : withoutTag(args), answer);
  const { groups, currency } = answer;
  const parts = groups.map(({ tagValue, cost }) => ({ label: valueName('tag:', tagValue), value: cost }));
  const without = groups.find(({ tagValue }) => tagValue === null)?.percentage ?? null;
  return {
    subtitle: `Cost of each value of the tag ${args.tagKey}, as ${metricWords(answer)}.`,
    summary: [
      ...summary,
      { label: 'Values', value: String(groups.filter(({ tagValue }) => tagValue !== null).length) },
      ...(without === null ? [] : [{ label: 'Untagged', value: formatPercent(without) }]),
    ],
    charts: [
      barChart(`Largest values of ${args.tagKey}`, currency, parts),
      shareChart('Share of each value', currency, parts),
    ].filter((chart) => chart !== null),
    sections: [tagTable(answer, args.tagKey ?? '')],
    notes,
  };
};

function withoutTag<Args extends object>(args: Args) {
  return { ...args, tagKey: null, tagValue: null, untagged: null };
}

function tagTable({ groups, currency, totalCost }: GroupedCosts<TagCost>, tagKey: string): Section {
  const fields: Field<TagCost>[] = [
    {
      key: 'tag_value',
      label: tagKey,
      type: 'text',
      absent: valueName('tag:', null),
      empty: valueName('tag:', ''),
      of: ({ tagValue }) => tagValue,
    },
    { key: 'cost', label: 'Cost', type: 'money', currency, of: ({ cost }) => cost },
    { key: 'percentage', label: 'Share', type: 'percent', of: ({ percentage }) => percentage },
  ];
  const totals = totalsOf(fields, { cost: totalCost, percentage: totalCost === 0 ? null : 100 });
  return tableOf({ key: 'tag_values', title: 'Cost by tag value' }, fields, groups, totals);
}
