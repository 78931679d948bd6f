import { queueChecks } from '../../../jobs/checks.ts';
import { ecbHistory, isAutomatic } from '../../../kit/config/exchange-rates.ts';
import type { Deps } from '../../../kit/deps.ts';
import { download } from '../../../kit/network/download.ts';
import { writeAudit } from '../../audit/store.ts';
import { orgScope, type OrgScope } from '../../auth/scope.ts';
import { describeRates } from '../exchange-rates.ts';
import { bumpRatesVersion, lockSettings, upsertRates, type ExchangeRate } from '../store.ts';
import { averageRates } from './averages.ts';
import { documentBytes, readDocument, type DailyRates } from './document.ts';
import { listAutomatic, listUsedPairs, type UsedPair } from './store.ts';

/** Timeout of a download, in ms. */
const timeoutMs = 60_000;

/** Downloads monthly exchange rates once, and stores those that the organizations need. Sends no request if none needs any.
 *  Nothing is stored if the document is malformed.
 *  @param only this organization; by default all
 *  @throws {Error} if the download fails or the document is malformed */
export async function fetchExchangeRates(
  deps: Pick<Deps, 'db' | 'queue' | 'config' | 'clock' | 'log'>,
  only?: string,
): Promise<void> {
  const { url, isDefault } = deps.config.exchangeRates;
  if (url === null) return;
  const automatic = await listAutomatic(deps.db, isDefault);
  const scopes = automatic.filter((id) => only === undefined || id === only).map((id) => orgScope(id, null));
  const wanted: { scope: OrgScope; pairs: UsedPair[] }[] = [];
  for (const scope of scopes) wanted.push({ scope, pairs: await listUsedPairs(deps.db, scope) });
  if (wanted.every(({ pairs }) => pairs.length === 0)) return;
  const days = await daysAt(url);
  for (const { scope, pairs } of wanted) await store(deps, scope, ratesOf(days, pairs));
}

async function daysAt(url: string): Promise<DailyRates> {
  // The operator's own address may be in the operator's network.
  const allowsPrivate = url !== ecbHistory;
  return readDocument(await download(url, { maxBytes: documentBytes, timeoutMs, allowsPrivate }));
}

/** Returns the rates of the pairs from the month of the first bill on. */
function ratesOf(days: DailyRates, pairs: readonly UsedPair[]): ExchangeRate[] {
  return pairs.flatMap(({ from, to, since }) =>
    averageRates(days, from, to)
      .filter(({ month }) => month >= since)
      .map((rate) => ({ ...rate, from, to, source: 'ecb' as const })),
  );
}

async function store(
  deps: Pick<Deps, 'db' | 'queue' | 'config' | 'clock'>,
  scope: OrgScope,
  rates: readonly ExchangeRate[],
): Promise<void> {
  const { organizationId } = scope;
  await deps.db.$transaction(async (db) => {
    const { automaticExchangeRates } = await lockSettings(db, scope);
    // An Admin may have turned it off since.
    if (!isAutomatic(deps.config.exchangeRates, automaticExchangeRates)) return;
    const set = await upsertRates(db, scope, rates);
    if (set.length === 0) return;
    await bumpRatesVersion(db, scope);
    await queueChecks(deps, organizationId, db);
    const server = { organizationId, userId: null, email: null, ipAddress: '', userAgent: '', clock: deps.clock };
    await writeAudit(db, server, {
      action: 'exchange_rates_changed',
      resourceType: 'organization',
      resourceId: organizationId,
      details: { source: 'ecb', ...describeRates(set, []) },
    });
  });
}

/** Queues a download if a sync brought a currency without any rate. */
export async function queueMissingRates(deps: Pick<Deps, 'db' | 'queue' | 'config'>, scope: OrgScope): Promise<void> {
  const { organizationId } = scope;
  const { url, isDefault } = deps.config.exchangeRates;
  if (url === null || !(await listAutomatic(deps.db, isDefault)).includes(organizationId)) return;
  if ((await listUsedPairs(deps.db, scope)).every(({ isRated }) => isRated)) return;
  await deps.queue.add('fetch_exchange_rates', { organizationId });
}
