import { z } from 'zod';
import { fit, trimRow } from '../../fit.ts';
import { asOf, hint } from '../../output.ts';
import { defineTool } from '../tool.ts';
import { resourceFilters } from './filters.ts';

const count = z.number();

const byType = z.object({ resource_type: z.string(), count });
const byRegion = z.object({ region: z.string(), count });
const byAccount = z.object({ account_id: z.string(), account_name: z.string(), count });

const summary = z.object({
  total: count,
  by_type: z.array(byType),
  by_region: z.array(byRegion),
  by_account: z.array(byAccount),
});

/** How many resources there are. */
export const getInventorySummary = defineTool({
  name: 'get_inventory_summary',
  title: 'Count resources',
  description:
    'Number of cloud resources by type, region and account. For single resources with cost and tags use ' +
    'list_resources.',
  effect: 'read',
  input: z.strictObject({
    ...resourceFilters,
    limit: z.int().min(1).max(100).optional().describe('Rows per split, default 20'),
  }),
  output: z.object({
    as_of: asOf,
    total: count,
    by_type: z.array(byType),
    by_region: z.array(byRegion),
    by_account: z.array(byAccount),
    other: z.object({ by_type: count, by_region: count, by_account: count }).describe('Resources in the omitted rows'),
    truncated: z.boolean().optional(),
    hint,
  }),
  async run({ api, now }, { limit = 20, ...query }) {
    const {
      total,
      by_type: types,
      by_region: regions,
      by_account: accounts,
    } = await api.get('/inventory/summary', query, summary);
    return {
      as_of: now.toISOString(),
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
