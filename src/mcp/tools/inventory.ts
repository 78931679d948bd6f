import { z } from 'zod';
import * as shapes from '../../../schema/rest.ts';
import { costFilters, idInput, pageInput, several } from '../input.ts';
import { fit, trimRow } from '../fit.ts';
import { hint, listAnswer, listOf, pageOf } from '../output.ts';
import { defineTool } from './tool.ts';
import { type Api, apiPath, type Query } from '../api/client.ts';
import { BadArguments } from '../api/failure.ts';

/** Resource filters. */
const resourceFilters = {
  account_id: costFilters.account_id,
  provider: costFilters.provider,
  service: several,
  region: several,
  resource_type: several.describe('From get_inventory_summary'),
  tag_key: z.string().min(1).optional(),
  tag_value: several.describe('Requires tag_key'),
};

/** Counts resources. */
export const getInventorySummary = defineTool({
  name: 'get_inventory_summary',
  title: 'Count resources',
  description: 'Number of cloud resources by type, region and account. For single resources use list_resources.',
  effect: 'read',
  input: z.strictObject({
    ...resourceFilters,
    limit: z.int().min(1).max(100).optional().describe('Rows per split, default 20'),
  }),
  output: z.object({
    ...shapes.InventorySummary.shape,
    other: z.object({ by_type: z.int(), by_region: z.int(), by_account: z.int() }).describe('In omitted rows'),
    truncated: z.boolean().optional(),
    hint,
  }),
  async run({ api }, { limit = 20, ...query }) {
    const {
      total,
      by_type: types,
      by_region: regions,
      by_account: accounts,
    } = await api.get('/inventory/summary', query, shapes.InventorySummary);
    return {
      total,
      ...fit((limits) => {
        const top = <Row extends object>(rows: readonly Row[]) =>
          rows.slice(0, limit).map((row) => trimRow(row, limits));
        return { by_type: top(types), by_region: top(regions), by_account: top(accounts) };
      }),
      other: {
        by_type: countOf(types.slice(limit)),
        by_region: countOf(regions.slice(limit)),
        by_account: countOf(accounts.slice(limit)),
      },
      ...(total === 0 && { hint: 'No matching resource: use fewer filters, or check list_accounts for data' }),
    };
  },
});

function countOf(rows: readonly { readonly count: number }[]): number {
  return rows.reduce((sum, row) => sum + row.count, 0);
}

/** Lists omit the metadata. */
const resource = shapes.InventoryResource.omit({ converted: true })
  .partial({ metadata: true })
  .extend({
    // `unknown` values keep the tool's schema shorter.
    tags: z.record(z.string(), z.unknown()),
    other_costs: z.array(z.unknown()),
  });

const input = z.strictObject({
  resource_id: idInput.optional().describe('One resource with its metadata (state, size …); no other arguments'),
  ...resourceFilters,
  search: z.string().min(1).max(500).optional().describe('Part of a name or native id'),
  include_gone: z.boolean().optional().describe('Also those deleted in the last 30 days'),
  sort_by: z
    .enum(['-cost_last_30_days', 'name', '-first_seen_at', 'first_seen_at'])
    .optional()
    .describe('Default -cost_last_30_days'),
  ...pageInput,
});

const nothing = 'No matching resource: use fewer filters, set include_gone, or check list_accounts for data';

/** Lists resources, or returns one with all details. */
export const listResources = defineTool({
  name: 'list_resources',
  title: 'List resources',
  description:
    'Cloud resources with tags and 30-day cost, most expensive first; one with its metadata by resource_id. ' +
    'For counts use get_inventory_summary, for waste list_recommendations.',
  effect: 'read',
  input,
  output: z.object(listOf(resource)),
  async run({ api }, { resource_id: id, ...query }) {
    return listAnswer(id === undefined ? await list(api, query) : await one(api, id, query), nothing);
  },
});

async function list(api: Api, query: Query) {
  return api.get('/inventory', { sort_by: '-cost_last_30_days', ...query }, pageOf(resource.omit({ metadata: true })));
}

async function one(api: Api, id: string, others: Query) {
  const given = Object.keys(others).filter((name) => others[name] !== undefined);
  if (given.length > 0)
    throw new BadArguments(
      `resource_id selects one resource: omit ${given.join(', ')}, or omit resource_id`,
      'resource_id',
    );
  const found = await api.get(apiPath`/inventory/${id}`, {}, resource);
  return { data: [found], pagination: { page: 1, per_page: 1, total: 1, total_pages: 1 } };
}
