import { z } from 'zod';
import { trimRow, trimText, type Limits } from '../../fit.ts';

const day = z.string().nullable();

const shared = {
  id: z.string(),
  name: z.string(),
  provider: z.string(),
  external_id: z.string(),
  status: z.string(),
  sync_status: z.string(),
  last_synced_at: z.string().nullable(),
  data_from: day,
  data_to: day,
  complete_through: day,
  currency: z.string().nullable(),
};

/** An account as the API tells it. */
export const account = z.object({
  ...shared,
  sync_progress: z.object({ phase: z.string().nullable(), percent: z.number().nullable() }).nullable(),
  last_sync_error: z.string().nullable(),
  sync_warnings: z.array(z.string()),
});

/** An account as a tool tells it: what there is to say of its sync where there is something. */
export const accountOutput = z.object({
  ...shared,
  sync_percent: z.number().nullable().optional(),
  last_sync_error: z.string().optional(),
  sync_warnings: z.array(z.string()).optional(),
  what_to_do: z.string().optional(),
});

type Account = z.output<typeof account>;

const mostWarnings = 3;
/** Beyond it bills are late: providers finish a day within a few. */
const usualLagMs = 5 * 86_400_000;

/** An account within limits, and what its sync asks somebody to do.
 *  @param now against which its data are late */
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
      return 'The last sync failed: an Admin resolves last_sync_error, then syncs the account in Costkeep; figures are from the last successful sync';
    case 'queued':
    case 'running':
      return 'The account is syncing: figures can still change, ask again in a few minutes';
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
