import type { AccountCost, GroupedCosts, SubAccountCost } from '../../../facts/costs/graphql-types.ts';
import { costsByAccount } from '../../../facts/costs/run.ts';
import type { Section } from '../document.ts';
import { costArgs } from '../filters.ts';
import { barChart, stackedChart } from './charts.ts';
import { costHead, dailyBy, dayTable, metricWords } from './cost-head.ts';
import { tableOf, totalsOf, type Field, type ReadDataSet } from './data-set.ts';

/** Reads the cost of each account and its sub-accounts. */
export const readCostByAccount: ReadDataSet = async (request) => {
  const { deps, scope, report } = request;
  const args = costArgs('cost_by_account', report.filters);
  const answer = await costsByAccount(deps, scope, { ...args, startDate: report.startDate, endDate: report.endDate });
  const { summary, notes } = await costHead(request, args, answer);
  const daily = await dailyBy(request, args, 'account');
  const { groups, currency } = answer;
  const bars = groups.map(({ accountName, cost }) => ({ label: accountName, value: cost }));
  return {
    subtitle: `Cost of each account and sub-account, as ${metricWords(answer)}.`,
    summary: [
      ...summary,
      { label: 'Accounts', value: String(groups.length) },
      ...(groups[0] ? [{ label: 'Largest account', value: groups[0].accountName }] : []),
    ],
    charts: [barChart('Accounts', currency, bars), stackedChart('account', daily)].filter((chart) => chart !== null),
    sections: [accountTable(answer), subAccountTable(answer), dayTable(daily)],
    notes,
  };
};

function accountTable({ groups, currency, totalCost }: GroupedCosts<AccountCost>): Section {
  const fields: Field<AccountCost>[] = [
    { key: 'account_name', label: 'Account', type: 'text', of: ({ accountName }) => accountName },
    { key: 'account_id', label: 'Account ID', type: 'text', isDetail: true, of: ({ accountId }) => accountId },
    { key: 'provider', label: 'Provider', type: 'text', of: ({ provider }) => provider },
    { key: 'cost', label: 'Cost', type: 'money', currency, of: ({ cost }) => cost },
    { key: 'percentage', label: 'Share', type: 'percent', of: ({ percentage }) => percentage },
  ];
  const totals = totalsOf(fields, { cost: totalCost, percentage: totalCost === 0 ? null : 100 });
  return tableOf({ key: 'accounts', title: 'Cost by account' }, fields, groups, totals);
}

function subAccountTable({ groups, currency, totalCost }: GroupedCosts<AccountCost>): Section {
  const items = groups.flatMap((account) => account.subAccounts.map((sub) => ({ account, sub })));
  const fields: Field<{ account: AccountCost; sub: SubAccountCost }>[] = [
    { key: 'account_name', label: 'Account', type: 'text', of: ({ account }) => account.accountName },
    { key: 'sub_account_name', label: 'Sub-account', type: 'text', of: ({ sub }) => sub.subAccountName },
    { key: 'sub_account_id', label: 'Sub-account ID', type: 'text', of: ({ sub }) => sub.subAccountId },
    { key: 'cost', label: 'Cost', type: 'money', currency, of: ({ sub }) => sub.cost },
  ];
  const totals = totalsOf(fields, { cost: totalCost });
  return tableOf({ key: 'sub_accounts', title: 'Cost by sub-account' }, fields, items, totals);
}
