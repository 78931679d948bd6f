import { z } from 'zod';
import * as shapes from '../../../schema/rest.ts';
import { type Limits, trimRow, trimText } from '../fit.ts';
import { listAnswer, listOf, pageOf } from '../output.ts';
import { pageInput } from '../input.ts';
import { defineTool } from './tool.ts';

/** An account as the API returns it. */
export const account = shapes.Account.omit({
  settings: true,
  credentials_updated_at: true,
  created_at: true,
  updated_at: true,
  unreadable_files: true,
});

/** An account as a tool returns it, with sync details if there are any. */
const accountOutput = z.object({
  ...account.omit({ sync_progress: true }).shape,
  sync_percent: z.number().nullable().optional(),
  last_sync_error: z.string().optional(),
  sync_warnings: z.array(z.string()).optional(),
  what_to_do: z.string().optional(),
});

type Account = z.output<typeof account>;

const mostWarnings = 3;
/** Bills older than this are late: providers usually finish a day within a few days. */
const usualLagMs = 5 * 86_400_000;

/** A truncated account, with any action its sync requires.
 *  @param now time for deciding whether its data is late */
export function accountWithin(given: Account, limits: Limits, now: Date): z.output<typeof accountOutput> {
  const { sync_progress: progress, last_sync_error: error, sync_warnings, ...rest } = given;
  const warnings = sync_warnings.slice(0, mostWarnings).map((warning) => trimText(warning, limits));
  const toDo = whatToDo(given, now);
  return {
    ...trimRow(rest, limits),
    ...(progress ? { sync_percent: progress.percent } : {}),
    ...(error === null ? {} : { last_sync_error: trimText(error, limits) }),
    ...(warnings.length === 0 ? {} : { sync_warnings: warnings }),
    ...(toDo === null ? {} : { what_to_do: toDo }),
  };
}

function whatToDo(given: Account, now: Date): string | null {
  if (given.status === 'disconnected')
    return 'Its past costs are kept, but no new data arrives: an Admin can reconnect it with new credentials';
  switch (given.sync_status) {
    case 'failed':
      return 'The last sync failed: an Admin can fix last_sync_error, then sync the account in Costkeep; figures are from the last successful sync';
    case 'queued':
    case 'running':
      return 'The account is syncing: figures can still change; ask again in a few minutes';
    case 'never':
    case 'cancelled':
      return 'Ask an Admin to sync the account in Costkeep';
    default:
      return isLate(given, now)
        ? 'The sync works, but the provider has not completed later days: check that the export still runs'
        : null;
  }
}

function isLate({ complete_through: through }: Account, now: Date): boolean {
  return through !== null && now.getTime() - Date.parse(through) > usualLagMs;
}

const nothing =
  'No matching account in the scope of the token: try status ["connected", "disconnected"] or fewer filters; an Admin connects accounts in Costkeep';

/** An account's provider is where its bills come from, which for exports is not the cloud. */
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
    provider: z.array(shapes.AccountProvider).optional().describe('focus: a FOCUS export'),
    status: z.array(shapes.AccountStatus).optional().describe('Default connected'),
    sync_status: z.array(shapes.SyncStatus).optional().describe('Status of the latest sync'),
    ...pageInput,
  }),
  output: z.object(listOf(accountOutput)),
  run: async ({ api, now }, args) => {
    const page = await api.get('/accounts', args, pageOf(account));
    return listAnswer(page, args.provider ? noneOfProvider + nothing : nothing, (one, limits) =>
      accountWithin(one, limits, now),
    );
  },
});
