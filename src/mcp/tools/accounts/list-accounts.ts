import { z } from 'zod';
import { emptyHint } from '../../empty.ts';
import { fit } from '../../fit.ts';
import { pageInput } from '../../input/filters.ts';
import { asOf, hint, pageOf, pagination } from '../../output.ts';
import { defineTool } from '../tool.ts';
import { account, accountWithin, accountOutput } from './account.ts';

const statuses = ['connected', 'disconnected'] as const;
const syncStatuses = ['never', 'queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;

const nothing =
  'No matching account in the scope of the token: try status ["connected", "disconnected"] or fewer filters; an Admin connects accounts in Costkeep';

/** An account is named after where its bills come from, which for exports is not the cloud. */
const noneOfProvider =
  'No account is connected with this provider; provider focus is for exports of any cloud. get_cost_breakdown by provider lists the clouds with costs. ';

export const listAccounts = defineTool({
  name: 'list_accounts',
  title: 'Cloud accounts',
  description:
    'Connected cloud accounts: their ids for the filters of other tools, which days have data, and whether ' +
    'their syncs work. Use it when figures look outdated or missing; for costs by account use ' +
    'get_cost_breakdown.',
  effect: 'read',
  input: z.strictObject({
    provider: z
      .array(z.enum(['aws', 'azure', 'gcp', 'focus']))
      .optional()
      .describe('focus: a FOCUS export'),
    status: z.array(z.enum(statuses)).optional().describe('Default connected'),
    sync_status: z.array(z.enum(syncStatuses)).optional().describe('Status of the latest sync'),
    ...pageInput,
  }),
  output: z.object({ as_of: asOf, data: z.array(accountOutput), pagination, truncated: z.boolean().optional(), hint }),
  run: async ({ api, now }, args) => {
    const { data, pagination: page } = await api.get('/accounts', args, pageOf(account));
    return fit((limits) => ({
      as_of: now.toISOString(),
      data: data.map((one) => accountWithin(one, limits, now)),
      pagination: page,
      ...emptyHint(page, data, args.provider ? noneOfProvider + nothing : nothing),
    }));
  },
});
