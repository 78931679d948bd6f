import { allResources, summarizeInventory } from '../../../facts/inventory/run.ts';
import { convertRecentCost, otherCostsOf } from '../../../facts/month-costs.ts';
import { amountToNumber, parseAmount } from '../../../kit/money.ts';
import { argsOf } from '../filters.ts';
import { formatCount } from '../../../kit/text/format.ts';
import { sumsText } from './cost-parts.ts';
import { countChart } from './charts.ts';
import { conversionsOf, convertedCurrency, withConverted } from './conversions.ts';
import { present, tableOfStream, field, type DataRequest, type Field, type ReadDataSet } from './data-set.ts';

type Resource = ReturnType<typeof allResources> extends AsyncGenerator<infer One> ? One : never;
type InventoryResource = Resource & { readonly converted: Awaited<ReturnType<typeof convertRecentCost>> };

/** Reads the resources of the inventory, most expensive first. */
export const readInventory: ReadDataSet = async (request) => {
  const { deps, scope, report } = request;
  const args = argsOf('inventory', report.filters);
  const { total, byType, byRegion, byAccount } = await summarizeInventory(deps, scope, args);
  const conversionOf = conversionsOf(request);
  const found = allResources(deps, scope, { ...args, sortBy: '-cost_last_30_days' });
  const resources = withConverted(found, (resource) => convertRecentCost(resource, conversionOf));
  const bar = (name: string, value: number) => ({ label: name || '(none)', value });
  return {
    subtitle: 'Resources from bills and provider inventories, as of the creation of the report.',
    summary: [
      { label: 'Resources', value: formatCount(total) },
      { label: 'Types', value: formatCount(byType.length) },
      { label: 'Regions', value: formatCount(byRegion.length) },
      { label: 'Accounts', value: formatCount(byAccount.length) },
    ],
    charts: present(
      countChart(
        'Resources by type',
        byType.map(({ resourceType, count }) => bar(resourceType, count)),
      ),
      countChart(
        'Resources by region',
        byRegion.map(({ region, count }) => bar(region, count)),
      ),
    ),
    sections: [tableOfStream({ key: 'resources', title: 'Resources', rowCount: total }, fieldsOf(request), resources)],
    notes: [
      'Costs cover the last 30 days with complete bills of each account, in the currency of its bills. After a change of that currency, the costs in the other one are listed separately.',
    ],
  };
};

function fieldsOf({
  accountNames,
  currency: own,
  hasOtherCurrencies = false,
}: DataRequest): Field<InventoryResource>[] {
  return [
    field('name', 'Name', 'text', ({ name }) => name),
    field('resource_type', 'Type', 'text', ({ resourceType }) => resourceType),
    field('service', 'Service', 'text', ({ service }) => service),
    field('region', 'Region', 'text', ({ region }) => region),
    field('account_name', 'Account', 'text', ({ accountId }) => accountNames.get(accountId) ?? ''),
    field('cost_last_30_days', 'Cost, last 30 days', { type: 'money', currency: null }, ({ costLast30Days }) =>
      amountToNumber(parseAmount(costLast30Days)),
    ),
    field('currency', 'Currency', 'text', ({ currency }) => currency),
    field('other_costs', 'In other currencies', 'text', (resource) => {
      const others = otherCostsOf(resource);
      return others.length === 0
        ? null
        : sumsText(others.map(({ currency, costLast30Days }) => ({ currency, cost: costLast30Days })));
    }),
    ...(hasOtherCurrencies
      ? [
          field(
            'converted_cost_last_30_days',
            'Cost, last 30 days',
            { type: 'money', currency: own },
            ({ converted }: InventoryResource) => converted && converted.costLast30Days,
          ),
          convertedCurrency(own),
        ]
      : []),
    field('native_id', 'Resource ID', { type: 'text', isDetail: true }, ({ nativeId }) => nativeId),
    field('provider', 'Provider', { type: 'text', isProvider: true }, ({ provider }) => provider),
    field('tags', 'Tags', { type: 'text', isDetail: true }, ({ tags }) => tagText(tags)),
    field('first_seen_at', 'First seen', { type: 'date', isDetail: true }, ({ firstSeenAt }) => firstSeenAt),
    field('last_seen_at', 'Last seen', 'date', ({ lastSeenAt }) => lastSeenAt),
    field('gone_at', 'Gone since', { type: 'instant', isDetail: true }, ({ goneAt }) => goneAt?.toISOString() ?? null),
    field('id', 'ID', { type: 'text', isDetail: true }, ({ id }) => id),
    field('account_id', 'Account ID', { type: 'text', isDetail: true }, ({ accountId }) => accountId),
  ];
}

/** Formats tags as `{"env":"prod"}`; null without any. */
function tagText(tags: Readonly<Record<string, string>>): string | null {
  return Object.keys(tags).length === 0 ? null : JSON.stringify(tags);
}
