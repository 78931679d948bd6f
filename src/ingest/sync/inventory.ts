import { createReadStream } from 'node:fs';
import { recordListing } from '../../facts/inventory/listing.ts';
import { isDatabaseAway } from '../../kit/database/away.ts';
import type { Deps } from '../../kit/deps.ts';
import { AppError } from '../../kit/errors/errors.ts';
import type { InventoryItem } from '../../providers/contract.ts';
import { TryLater } from '../../providers/faults.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { ConnectorCommands } from '../connector/protocol.ts';

/** Writes the inventory to a folder; null: the source has none.
 *  @throws {AppError} VALIDATION_ERROR when nothing may be read
 *  @throws {TryLater} */
export type ListInventory = (folder: string) => Promise<ConnectorCommands['inventory']['result']>;

/** Age in milliseconds from which a listing is renewed, whatever the sync schedule. */
const freshMs = 20 * 3_600_000;

/** Result of an inventory in a sync. */
export interface InventoryOutcome {
  /** A new listing was stored. */
  readonly isListed: boolean;
  /** Gaps in the listing, one sentence each; null: unchanged. */
  readonly warnings: readonly string[] | null;
  /** The provider requested a later retry. */
  readonly later: TryLater | null;
}

const untouched: InventoryOutcome = { isListed: false, warnings: null, later: null };

/** Lists an account's resources and commitments if the last listing is older than `freshMs`. Bills do not depend on it: errors become
 *  warnings, and the previous listing stays.
 *  @throws {Error} when the sync is cancelled, or the database is unreachable */
export async function syncInventory(
  deps: Pick<Deps, 'pool' | 'engine' | 'clock' | 'log'>,
  scope: OrgScope,
  job: {
    accountId: string;
    list: ListInventory | null;
    folder: string;
    inventoryAt: Date | null;
    signal: AbortSignal;
    onBegin(): void;
  },
): Promise<InventoryOutcome> {
  const listedAt = deps.clock.now();
  if (!job.list) return untouched;
  if (job.inventoryAt && listedAt.getTime() - job.inventoryAt.getTime() < freshMs) return untouched;
  try {
    job.onBegin();
    const listing = await job.list(job.folder);
    if (!listing) return untouched;
    const { path, unread, warnings } = listing;
    await recordListing(deps, scope, job.accountId, { items: linesOf(path), listedAt, unread });
    return { isListed: true, warnings, later: null };
  } catch (error) {
    job.signal.throwIfAborted();
    if (error instanceof Error && isDatabaseAway(error)) throw error;
    return failed(deps, job.accountId, error);
  }
}

function failed({ log }: Pick<Deps, 'log'>, accountId: string, error: unknown): InventoryOutcome {
  const known = error instanceof TryLater || error instanceof AppError ? error : null;
  if (!known) log.error({ accountId, err: error }, 'The inventory could not be listed');
  const reason = known?.message ?? 'unexpected error; the server log has the details; contact the operator';
  return {
    isListed: false,
    warnings: [`The inventory could not be updated: ${reason}`],
    later: known instanceof TryLater ? known : null,
  };
}

/** Streams line by line: a listing may be larger than the server's memory. */
async function* linesOf(path: string): AsyncGenerator<InventoryItem & { namedBy: string }> {
  let rest = '';
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = `${rest}${String(chunk)}`.split('\n');
    rest = lines.pop() ?? '';
    // Safe: our own process wrote them.
    for (const line of lines) yield JSON.parse(line) as InventoryItem & { namedBy: string };
  }
}
