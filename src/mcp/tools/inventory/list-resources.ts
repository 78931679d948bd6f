import { z } from 'zod';
import { apiPath, type Api, type Query } from '../../api/api.ts';
import { fit, trimRow } from '../../fit.ts';
import { pageInput } from '../../input/filters.ts';
import { idInput } from '../../input/id.ts';
import { emptyHint } from '../../empty.ts';
import { asOf, hint, pageOf, pagination } from '../../output.ts';
import { BadArguments } from '../../bad-arguments.ts';
import { defineTool } from '../tool.ts';
import { resourceFilters } from './filters.ts';

const open = z.record(z.string(), z.unknown());

const resource = z.object({
  id: z.string(),
  name: z.string(),
  native_id: z.string(),
  resource_type: z.string(),
  service: z.string(),
  region: z.string(),
  provider: z.string(),
  account_id: z.string(),
  cost_last_30_days: z.number(),
  currency: z.string(),
  tags: open,
  metadata: open.optional(),
  first_seen_at: z.string(),
  last_seen_at: z.string(),
  gone_at: z.string().nullable(),
});

const input = z.strictObject({
  resource_id: idInput.optional().describe('One resource with its metadata (state, size …); excludes other arguments'),
  ...resourceFilters,
  search: z.string().min(1).max(500).optional().describe('Part of a name or native id'),
  include_gone: z.boolean().optional().describe('Includes those deleted in the last 30 days'),
  sort_by: z
    .enum(['-cost_last_30_days', 'name', '-first_seen_at', 'first_seen_at'])
    .optional()
    .describe('Default -cost_last_30_days: largest first'),
  ...pageInput,
});

const nothing = 'No matching resource: use fewer filters, set include_gone, or check list_accounts for data';

/** Resources, or one with everything known of it. */
export const listResources = defineTool({
  name: 'list_resources',
  title: 'List resources',
  description:
    'Cloud resources (machines, disks, databases, buckets …) with tags and the cost of the last 30 days, the ' +
    'most expensive first; one with all its metadata by resource_id. For counts use get_inventory_summary, ' +
    'for waste list_recommendations.',
  effect: 'read',
  input,
  output: z.object({
    as_of: asOf,
    data: z.array(resource),
    pagination,
    truncated: z.boolean().optional(),
    hint,
  }),
  async run({ api, now }, { resource_id: id, ...query }) {
    const { data, pagination: page } = id === undefined ? await list(api, query) : await one(api, id, query);
    const answer = fit((limits) => ({ data: data.map((each) => trimRow(each, limits)) }));
    return {
      as_of: now.toISOString(),
      ...answer,
      pagination: page,
      ...emptyHint(page, data, nothing),
    };
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
