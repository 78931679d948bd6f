import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { queueChecks } from './jobs/checks.ts';
import { type Config, type Environment, readConfig } from './kit/config/config.ts';
import type { Deps } from './kit/deps.ts';
import { AppError, fix, invalid, message } from './kit/errors/errors.ts';
import { openProgressBar } from './kit/text/progress-bar.ts';
import { type Arguments, type CliCommand, runCommand, textOption } from './operation/cli/command.ts';
import { open } from './start.ts';
import type { OrgScope } from './tenancy/auth/scope.ts';
import { connectAccount, updateAccount } from './ingest/accounts/connect.ts';
import { findByExternalId } from './ingest/accounts/store.ts';
import { type IngestOptions, ingestUsage, type Place, placeOf } from './ingest/cli/options.ts';
import { chooseRecipient, operator, type Recipient } from './ingest/cli/organization.ts';
import { type AccountResult, syncAccount } from './ingest/sync/account.ts';
import type { SyncResult } from './ingest/sync/bills/run.ts';
import { endSync, type SyncEnd, type SyncProgress } from './ingest/sync/store.ts';
import { refuseOwner } from './operation/installed.ts';
import { upgradeBar } from './ingest/upgrade/progress.ts';

/** Evaluates an account's new bills. */
type Evaluate = (deps: Deps, scope: OrgScope, accountId: string) => Promise<void>;

/** Runs `npm run ingest`: loads a FOCUS file or folder into an organization, in this process, with or without a server running.
 *  @returns the exit code: 0 loaded, 1 not loaded, 2 invalid arguments, 130 interrupted */
export function ingest(args: readonly string[], env: Environment, evaluate: Evaluate): Promise<number> {
  const command: CliCommand = {
    usage: ingestUsage,
    options: { organization: { type: 'string' }, email: { type: 'string' }, name: { type: 'string' } },
    positionals: ['PATH'],
    run(given) {
      // Before it generates keys.
      refuseOwner(readConfig(env, 'leave'));
      return loadOrExplain(optionsOf(given), readConfig(env), { signal: given.signal, evaluate });
    },
  };
  return runCommand(command, args);
}

function optionsOf({ positionals: [first = ''], options }: Arguments): IngestOptions {
  const email = textOption(options, 'email');
  return { path: first, organization: textOption(options, 'organization'), email, name: textOption(options, 'name') };
}

async function loadOrExplain(options: IngestOptions, config: Config, work: Work): Promise<number> {
  try {
    return await load(options, config, work);
  } catch (error) {
    if (work.signal.aborted) {
      console.error('Interrupted: months loaded so far are kept.');
      return 130;
    }
    if (error instanceof Unevaluated) console.error(`Loaded, but not evaluated: ${error.message}`);
    else if (error instanceof AppError) console.error(`Not loaded: ${error.message}`);
    else throw error;
    return 1;
  }
}

/** Bills that were loaded and could not be evaluated. */
class Unevaluated extends Error {}

interface Work {
  readonly signal: AbortSignal;
  readonly evaluate: Evaluate;
}

async function load(options: IngestOptions, config: Config, { signal, evaluate }: Work): Promise<number> {
  const place = await placeOf(options.path, config.focusRoot);
  // The log is for servers; here the progress bar and the final message are enough.
  const logLevel = config.logLevel === 'info' ? 'error' : config.logLevel;
  const { deps: opened, close } = await open({ ...config, focusRoot: place.focusRoot, logLevel }, upgradeBar());
  // This process syncs by itself: a queued job would make a worker run the same sync concurrently.
  const deps: Deps = { ...opened, queue: { ...opened.queue, add: async () => {} } };
  try {
    const recipient = await chooseRecipient(deps, options);
    if (recipient.made) console.log(newcomer(recipient.organizationName, recipient.made));
    const accountId = await connect(deps, recipient, place, options.name);
    const result = await sync(deps, recipient, accountId, signal);
    console.log(report(recipient, place, result, config));
    if (result.months.length === 0) return 0;
    // The server's workers send the notifications, now or when they start.
    const { scope } = recipient.viewer;
    await evaluate(opened, scope, accountId).catch((error: unknown) => {
      throw error instanceof AppError ? new Unevaluated(error.message, { cause: error }) : error;
    });
    await queueChecks(opened, scope.organizationId);
    return 0;
  } finally {
    await close();
  }
}

/** Returns the account of the path; connects or reconnects it if needed. */
async function connect(deps: Deps, { viewer }: Recipient, place: Place, name: string | null): Promise<string> {
  const actor = { ...operator, organizationId: viewer.scope.organizationId, userId: null, email: null };
  const settings = { path: place.path };
  const known = await findByExternalId(deps.db, viewer.scope, 'focus', place.path);
  if (!known) {
    const base = place.path === '.' ? path.basename(place.focusRoot) || 'FOCUS' : path.posix.basename(place.path);
    const input = { name: name ?? base.slice(0, 100), provider: 'focus', settings } as const;
    return (await connectAccount(deps, viewer, actor, input)).id;
  }
  const job = { organizationId: viewer.scope.organizationId, accountId: known.id };
  if ((await deps.queue.pending('sync', [job])).length > 0) {
    throw invalid`The server is already syncing account "${known.id}" of this path${fix}wait until it is done`;
  }
  if (known.status === 'disconnected') await updateAccount(deps, viewer, actor, { id: known.id, settings });
  return known.id;
}

/** Records how the sync ended, but not that it runs: if this process were killed, the running state would never be cleared. */
async function sync(
  deps: Deps,
  { viewer: { scope } }: Recipient,
  accountId: string,
  signal: AbortSignal,
): Promise<AccountResult> {
  const jobs = path.join(deps.config.dataDir, 'jobs');
  await mkdir(jobs, { recursive: true, mode: 0o700 });
  // Uses its own folder, because a server on the same data may sync the same account concurrently.
  const dataDir = await mkdtemp(path.join(jobs, 'ingest-'));
  const bar = openProgressBar('Loading');
  const end = (state: SyncEnd): Promise<void> => endSync(deps, scope, accountId, state);
  try {
    const onProgress = ({ rows, ...progress }: SyncProgress): void =>
      bar.update({ ...progress, note: lineItems(rows) });
    const result = await syncAccount({ ...deps, config: { ...deps.config, dataDir } }, scope, accountId, {
      signal,
      onProgress,
    });
    bar.update({ percent: 100, phase: 'done', note: lineItems(result.lineItems) });
    await end({ status: 'succeeded' });
    return result;
  } catch (error) {
    const reason =
      error instanceof AppError
        ? error.statement
        : message`The load failed on the command line${fix}run the command again for details`;
    await end(signal.aborted ? { status: 'cancelled' } : { status: 'failed', reason });
    throw error;
  } finally {
    bar.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function lineItems(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'line item' : 'line items'}`;
}

function newcomer(organizationName: string, { email, password }: { email: string; password: string }): string {
  return [
    `This server is empty: created organization "${organizationName}".`,
    `Sign in as ${email} with the password ${password} (shown only once).`,
  ].join('\n');
}

function report({ organizationName, viewer }: Recipient, place: Place, result: AccountResult, config: Config): string {
  const warnings = (result.warnings ?? []).map((warning) => `Warning: ${warning}`);
  const lines = [
    summaryOf(result),
    ...warnings,
    '',
    `Organization "${organizationName}" (${viewer.scope.organizationId})`,
  ];
  if (!place.isUnderFocusRoot) {
    const why =
      config.focusRoot === null ? 'FOCUS_ROOT is not set' : `it is not under FOCUS_ROOT (${config.focusRoot})`;
    lines.push(
      `The server will not sync this path automatically, because ${why}; run this command again for new bills.`,
    );
  }
  return lines.join('\n');
}

/** Formats the loaded months as a table: billing month, line items, and billed and effective cost per currency. */
export function summaryOf(result: SyncResult): string {
  if (result.months.length === 0)
    return result.hasStatements
      ? 'No costs have changed; invoices, billing periods or commitments were read.'
      : 'Nothing has changed since the last load.';
  const rows = result.months
    .toSorted((a, b) => (a.month < b.month ? -1 : 1))
    .flatMap(({ month, totals }) =>
      totals.map((total) => [
        month,
        total.lineItems.toLocaleString('en-US'),
        exact(total.billed),
        exact(total.effective),
        total.currency,
      ]),
    );
  const table = [['month', 'line items', 'billed', 'effective', ''], ...rows];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...table.map((row) => (row[column] ?? '').length)));
  return table
    .map((row) =>
      row
        .map((cell, at) => (at === 0 || at === 4 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Formats an exact sum with all its decimals, at least two. */
function exact(decimal: string): string {
  const [whole = '0', fraction = ''] = decimal.split('.');
  const sign = whole.startsWith('-') ? '-' : '';
  return `${sign}${BigInt(whole.replace('-', '')).toLocaleString('en-US')}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
}
