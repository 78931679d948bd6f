import type { AccountCost, GroupedCosts, ServiceCost } from '../../../facts/costs/graphql-types.ts';
import { costsByAccount, costsByRegion, costsByService, costsByTag, costsSummary } from '../../../facts/costs/run.ts';
import { valueName } from '../../../facts/costs/csv.ts';
import { keyDimension, virtualKeyOf } from '../../../facts/costs/dimensions.ts';
import { providerName } from '../../../kit/text/provider-name.ts';
import { formatShare, type Section } from '../document.ts';
import { argsOf } from '../filters.ts';
import { barChart, shareChart, stackedChart } from './charts.ts';
import { costFigures, dailyBy, dayTable, groupTable, metricWords, excludedText } from './cost-parts.ts';
import { present, field, tableOf, totalsOf, type DataRequest, type Field, type ReadDataSet } from './data-set.ts';

type CostReport = 'cost_summary' | 'cost_by_service' | 'cost_by_account' | 'cost_by_tag';

/** Returns a cost report's filters with its days. */
function askedBy<Type extends CostReport>(type: Type, { report }: DataRequest) {
  return { ...argsOf(type, report.filters), startDate: report.startDate, endDate: report.endDate };
}

/** The group with the largest amount: among credits, the one with the most. */
export function largestOf<Group extends { readonly cost: number }>(groups: readonly Group[]): Group | undefined {
  return groups.toSorted((one, other) => Math.abs(other.cost) - Math.abs(one.cost))[0];
}

/** Reads spend by period, with its largest parts. */
export const readCostSummary: ReadDataSet = async (request) => {
  const { deps, scope } = request;
  const args = askedBy('cost_summary', request);
  const answer = await costsSummary(deps, scope, args);
  const services = await costsByService(deps, scope, args);
  const regions = await costsByRegion(deps, scope, args);
  const largest = largestOf(services.groups);
  const providers = Map.groupBy(services.groups, ({ provider }) => provider);
  const shares = [...providers].map(([slug, own]) => ({
    label: providerName(slug),
    value: own.reduce((sum, { cost }) => sum + cost, 0),
  }));
  const figures = await costFigures(request, args, answer);
  return {
    subtitle: `Total spend, as ${metricWords(answer)}.`,
    summary: [
      ...figures.facts,
      { label: 'Services', value: String(services.groups.length) },
      ...(largest ? [{ label: 'Largest service', value: largest.service }] : []),
    ],
    charts: present(
      stackedChart('service', await dailyBy(request, args, 'service')),
      shareChart('Share of each provider', answer.currency, shares),
    ),
    sections: [
      periodTable(answer),
      serviceTable(services),
      groupTable({ key: 'regions', title: 'Cost by region' }, regions, [
        field('region', 'Region', 'text', ({ region }) => region),
        field('provider', 'Provider', { type: 'text', isProvider: true }, ({ provider }) => provider),
      ]),
    ],
    excluded: excludedText(answer),
    notes: figures.notes,
  };
};

function periodTable({ granularity, periods, currency, totalCost }: Awaited<ReturnType<typeof costsSummary>>): Section {
  const fields: Field<(typeof periods)[number]>[] = [
    field('period_start', 'From', 'date', ({ periodStart }) => periodStart),
    field('period_end', 'Through', 'date', ({ periodEnd }) => periodEnd),
    field('cost', 'Cost', { type: 'money', currency }, ({ cost }) => cost),
  ];
  const title = granularity === 'daily' ? 'Cost by day' : 'Cost by month';
  return tableOf({ key: 'periods', title }, fields, periods, totalsOf(fields, { cost: totalCost }));
}

function serviceTable(answer: GroupedCosts<ServiceCost>): Section {
  return groupTable({ key: 'services', title: 'Cost by service' }, answer, [
    field('service', 'Service', 'text', ({ service }) => service),
    field('service_category', 'Category', 'text', ({ serviceCategory }) => serviceCategory),
    field('provider', 'Provider', { type: 'text', isProvider: true }, ({ provider }) => provider),
  ]);
}

/** Reads the cost of each service. */
export const readCostByService: ReadDataSet = async (request) => {
  const args = askedBy('cost_by_service', request);
  const answer = await costsByService(request.deps, request.scope, args);
  const daily = await dailyBy(request, args, 'service');
  const { groups, currency, totalCost } = answer;
  const largest = largestOf(groups);
  const bars = groups.map(({ service, cost }) => ({ label: service, value: cost }));
  const figures = await costFigures(request, args, answer);
  return {
    subtitle: `Cost of each service, as ${metricWords(answer)}.`,
    summary: [
      ...figures.facts,
      { label: 'Services', value: String(groups.length) },
      ...(largest && totalCost !== 0
        ? [{ label: 'Largest service', value: `${largest.service} (${formatShare(largest.cost, totalCost)})` }]
        : []),
    ],
    charts: present(barChart('Largest services', currency, bars), stackedChart('service', daily)),
    sections: [serviceTable(answer), dayTable(daily)],
    excluded: excludedText(answer),
    notes: figures.notes,
  };
};

/** Reads the cost of each account and its sub-accounts. */
export const readCostByAccount: ReadDataSet = async (request) => {
  const args = askedBy('cost_by_account', request);
  const answer = await costsByAccount(request.deps, request.scope, args);
  const daily = await dailyBy(request, args, 'account');
  const { groups, currency } = answer;
  const largest = largestOf(groups);
  const bars = groups.map(({ accountName, cost }) => ({ label: accountName, value: cost }));
  const figures = await costFigures(request, args, answer);
  return {
    subtitle: `Cost of each account and sub-account, as ${metricWords(answer)}.`,
    summary: [
      ...figures.facts,
      { label: 'Accounts', value: String(groups.length) },
      ...(largest ? [{ label: 'Largest account', value: largest.accountName }] : []),
    ],
    charts: present(barChart('Accounts', currency, bars), stackedChart('account', daily)),
    sections: [
      groupTable({ key: 'accounts', title: 'Cost by account' }, answer, [
        field('account_name', 'Account', 'text', ({ accountName }) => accountName),
        field('account_id', 'Account ID', { type: 'text', isDetail: true }, ({ accountId }) => accountId),
        field('provider', 'Provider', { type: 'text', isProvider: true }, ({ provider }) => provider),
      ]),
      subAccountTable(answer),
      dayTable(daily),
    ],
    excluded: excludedText(answer),
    notes: figures.notes,
  };
};

function subAccountTable({ groups, currency, totalCost }: GroupedCosts<AccountCost>): Section {
  const items = groups.flatMap(({ accountName, subAccounts }) => subAccounts.map((sub) => ({ accountName, ...sub })));
  const fields: Field<(typeof items)[number]>[] = [
    field('account_name', 'Account', 'text', ({ accountName }) => accountName),
    field('sub_account_name', 'Sub-account', 'text', ({ subAccountName }) => subAccountName),
    field('sub_account_id', 'Sub-account ID', 'text', ({ subAccountId }) => subAccountId),
    field('cost', 'Cost', { type: 'money', currency }, ({ cost }) => cost),
  ];
  const totals = totalsOf(fields, { cost: totalCost });
  return tableOf({ key: 'sub_accounts', title: 'Cost by sub-account' }, fields, items, totals);
}

/** Reads the cost of each value of a tag key. */
export const readCostByTag: ReadDataSet = async (request) => {
  const args = askedBy('cost_by_tag', request);
  const answer = await costsByTag(request.deps, request.scope, args);
  // Without selected values, the answer covers all charges, and so must the earlier costs.
  const compared = args.tagValue || args.untagged ? args : { ...args, tagKey: null, tagValue: null, untagged: null };
  const { groups, currency, totalCost } = answer;
  const parts = groups.map(({ tagValue, cost }) => ({ label: valueName('tag:', tagValue), value: cost }));
  const without = groups.find(({ tagValue }) => tagValue === null);
  const name = tagName(args.tagKey ?? '');
  const names = { absent: valueName('tag:', null), empty: valueName('tag:', '') };
  const figures = await costFigures(request, compared, answer);
  return {
    subtitle: `Cost of each value of the ${name.long}, as ${metricWords(answer)}.`,
    summary: [
      ...figures.facts,
      { label: 'Values', value: String(groups.filter(({ tagValue }) => tagValue !== null).length) },
      ...(without && totalCost !== 0 ? [{ label: 'Untagged', value: formatShare(without.cost, totalCost) }] : []),
    ],
    charts: present(
      barChart(`Largest values of ${name.short}`, currency, parts),
      shareChart('Share of each value', currency, parts),
    ),
    sections: [
      groupTable({ key: 'tag_values', title: 'Cost by tag value' }, answer, [
        field('tag_value', name.short, { type: 'text', ...names }, ({ tagValue }) => tagValue),
      ]),
    ],
    excluded: excludedText(answer),
    notes: figures.notes,
  };
};

function tagName(key: string): { readonly short: string; readonly long: string } {
  const virtual = virtualKeyOf(keyDimension(key));
  return virtual === null ? { short: key, long: `tag ${key}` } : { short: virtual, long: `virtual tag ${virtual}` };
}
