import { allResources, summarizeInventory } from '../../../facts/inventory/run.ts';
import { microsToNumber, parseAmount, roundAmount } from '../../../kit/money.ts';
import { inventoryArgs } from '../filters.ts';
import { formatCount } from '../../../kit/text/format.ts';
import { countChart } from './charts.ts';
import { tableOfStream, type DataRequest, type Field, type ReadDataSet } from './data-set.ts';

type InventoryResource = ReturnType<typeof allResources> extends AsyncGenerator<infer Resource> ? Resource : never;

/** Reads the existing resources, most expensive first. */
export const readInventory: ReadDataSet = async (request) => {
  const { deps, scope, report } = request;
  const args = inventoryArgs(report.filters);
  const { total, byType, byRegion, byAccount } = await summarizeInventory(deps, scope, args);
  const resources = allResources(deps, scope, { ...args, sortBy: '-cost_last_30_days' });
  const bars = (groups: readonly { count: number }[], labels: readonly string[]) =>
    groups.map(({ count }, index) => ({ label: labels[index] || '(none)', value: count }));
  return {
    subtitle: 'Resources from bills and provider inventories, as of the creation of the report.',
    summary: [
      { label: 'Resources', value: formatCount(total) },
      { label: 'Types', value: formatCount(byType.length) },
      { label: 'Regions', value: formatCount(byRegion.length) },
      { label: 'Accounts', value: formatCount(byAccount.length) },
    ],
    charts: [
      countChart(
        'Resources by type',
        bars(
          byType,
          byType.map(({ resourceType }) => resourceType),
        ),
      ),
      countChart(
        'Resources by region',
        bars(
          byRegion,
          byRegion.map(({ region }) => region),
        ),
      ),
    ].filter((chart) => chart !== null),
    sections: [tableOfStream({ key: 'resources', title: 'Resources', rowCount: total }, fieldsOf(request), resources)],
    notes: ['Costs cover the last 30 days with complete bills of each account, in the currency of its bills.'],
  };
};

function fieldsOf({ accountNames }: DataRequest): Field<InventoryResource>[] {
  return [
    { key: 'name', label: 'Name', type: 'text', of: ({ name }) => name },
    { key: 'resource_type', label: 'Type', type: 'text', of: ({ resourceType }) => resourceType },
    { key: 'service', label: 'Service', type: 'text', of: ({ service }) => service },
    { key: 'region', label: 'Region', type: 'text', of: ({ region }) => region },
    { key: 'account_name', label: 'Account', type: 'text', of: ({ accountId }) => accountNames.get(accountId) ?? '' },
    {
      key: 'cost_last_30_days',
      label: 'Cost of 30 days',
      type: 'money',
      currency: null,
      of: ({ costLast30Days }) => microsToNumber(roundAmount(parseAmount(costLast30Days))),
    },
    { key: 'currency', label: 'Currency', type: 'text', of: ({ currency }) => currency },
    { key: 'native_id', label: 'Provider’s ID', type: 'text', isDetail: true, of: ({ nativeId }) => nativeId },
    { key: 'provider', label: 'Provider', type: 'text', of: ({ provider }) => provider },
    { key: 'tags', label: 'Tags', type: 'text', isDetail: true, of: ({ tags }) => tagText(tags) },
    { key: 'first_seen_at', label: 'First seen', type: 'date', isDetail: true, of: ({ firstSeenAt }) => firstSeenAt },
    { key: 'last_seen_at', label: 'Last seen', type: 'date', of: ({ lastSeenAt }) => lastSeenAt },
    {
      key: 'gone_at',
      label: 'Gone since',
      type: 'instant',
      isDetail: true,
      of: ({ goneAt }) => goneAt?.toISOString() ?? null,
    },
    { key: 'id', label: 'ID', type: 'text', isDetail: true, of: ({ id }) => id },
    { key: 'account_id', label: 'Account ID', type: 'text', isDetail: true, of: ({ accountId }) => accountId },
  ];
}

/** Formats tags as `{"env":"prod"}`; null without any. */
function tagText(tags: Readonly<Record<string, string>>): string | null {
  return Object.keys(tags).length === 0 ? null : JSON.stringify(tags);
}
