import type { Db } from '../../../kit/db.ts';
import type { Deps } from '../../../kit/deps.ts';
import { addDays, dayOf, daysBetween, type Day } from '../../../kit/time/period.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import type { AnomalyFacts } from '../explanation/facts.ts';
import { matchFindings, type Finding, type Matching } from './finding.ts';
import type { AccountUsage, ServiceSeries } from './series-store.ts';
import {
  closeOver,
  createAnomaly,
  endAnomaly,
  endWithoutBills,
  holdAccount,
  readKeptWithin,
  reviseAnomaly,
  type KeptRow,
} from './write-store.ts';
import { amountToNumber, parseAmount, sumAmounts } from '../../../kit/money.ts';
import { formatMoney } from '../../../kit/text/format.ts';

/** Result of an evaluation. */
export interface AnomaliesEvaluated {
  readonly created: number;
  /** Number resolved because they no longer hold, without those that are over. */
  readonly ended: number;
}

/** Findings of an evaluation. */
export interface Found {
  readonly usage: AccountUsage;
  /** The first evaluated day. */
  readonly since: Day;
  readonly findings: readonly Finding[];
  /** Facts of the findings to be written. */
  readonly facts: ReadonlyMap<Finding, AnomalyFacts>;
}

type SaveDeps = Pick<Deps, 'db' | 'clock' | 'queue' | 'config'>;

/** Maximum age in days of an announced anomaly; older ones are only listed. Allows for bills that arrive some days late. */
const newsDays = 7;
/** Maximum age in days of an anomaly that a model explains: a user may still look into it. */
const explainedDays = 31;
/** An anomaly is over once more complete days than these have followed its last one. */
const overDays = 7;
/** Days at the edge of the evaluated ones on which nothing is resolved, because an anomaly may have started before them. */
const edgeDays = 14;

/** Writes the findings in one transaction under the account's lock, and queues notifications and explanations.
 *  @returns null if the account has been loaded again since it was read: nothing is written then */
export async function saveFindings(deps: SaveDeps, scope: OrgScope, found: Found): Promise<AnomaliesEvaluated | null> {
  const { usage, since, findings } = found;
  return deps.db.$transaction(
    async (db) => {
      if ((await holdAccount(db, scope, usage.accountId)) !== usage.version) return null;
      const kept = await readKeptWithin(db, scope, usage.accountId, since);
      const matching = matchFindings(kept, findings);
      const saving: Saving = { deps, db, scope, found, now: deps.clock.now() };
      const created = await saveCreated(saving, matching);
      await saveKnown(saving, matching);
      const ended = await saveEnded(saving, matching);
      await closeOver(db, scope, { accountId: usage.accountId, end: usage.end, overDays, now: saving.now });
      return { created, ended };
    },
    { timeout: 120_000, maxWait: 60_000 },
  );
}

/** Reason of anomalies whose costs were removed from the bills. */
const lostCosts = 'The bills no longer contain these costs.';

/** Resolves all anomalies of an account that has no complete day, because its bills were removed. */
export async function saveWithoutUsage(
  { db, clock }: Pick<SaveDeps, 'db' | 'clock'>,
  scope: OrgScope,
  accountId: string,
): Promise<AnomaliesEvaluated> {
  const ended = await endWithoutBills(db, scope, { accountId, reason: lostCosts, now: clock.now() });
  return { created: 0, ended };
}

interface Saving {
  readonly deps: SaveDeps;
  readonly db: Db;
  readonly scope: OrgScope;
  readonly found: Found;
  readonly now: Date;
}

async function saveCreated(saving: Saving, { created }: Matching<KeptRow>): Promise<number> {
  const { db, scope, found, now } = saving;
  let count = 0;
  for (const finding of created) {
    const facts = found.facts.get(finding);
    if (facts === undefined) continue;
    const id = await createAnomaly(db, scope, { accountId: found.usage.accountId, now, finding, facts });
    if (isNews(finding, now)) await queueAlert(saving, id);
    await explain(saving, id, finding);
    count += 1;
  }
  return count;
}

async function saveKnown(saving: Saving, { known }: Matching<KeptRow>): Promise<void> {
  const { db, scope, found, now } = saving;
  for (const { kept, finding } of known) {
    const facts = found.facts.get(finding);
    if (facts === undefined) continue;
    const writing = { accountId: found.usage.accountId, now, finding, facts };
    const isBack = isReturning(kept, finding, found.usage.end);
    if (await reviseAnomaly(db, scope, { id: kept.id, isBack }, writing)) await explain(saving, kept.id, finding);
    // Deliveries are deduplicated: only a leak that has become worse is announced twice.
    if (isBack && isNews(finding, now)) await queueAlert(saving, kept.id);
  }
}

async function saveEnded({ db, scope, found, now }: Saving, { ended }: Matching<KeptRow>): Promise<number> {
  const { usage, since, findings } = found;
  let count = 0;
  for (const kept of ended) {
    if (kept.startDate < addDays(since, edgeDays)) continue;
    if (await endAnomaly(db, scope, { id: kept.id, ...endReason(kept, usage, findings), now })) count += 1;
  }
  return count;
}

/** Returns whether an anomaly resolved by the service itself was found again, and so reopens. One that is over stays resolved.
 *  @param end the last complete day */
export function isReturning({ status, isByService }: KeptRow, { endDate }: Finding, end: Day): boolean {
  return status === 'resolved' && isByService && daysBetween(endDate, end) <= overDays;
}

/** Returns whether an anomaly is new, or is a leak that has become worse. */
function isNews({ kind, detectedOn, endDate }: Finding, now: Date): boolean {
  return (kind === 'leak' ? endDate : detectedOn) >= addDays(dayOf(now), -newsDays);
}

/** Queues the alert of an anomaly. Recipients and channels are up to `actions`. */
function queueAlert({ deps, db, scope: { organizationId } }: Saving, anomalyId: string): Promise<void> {
  return deps.queue.add('tell_anomaly', { organizationId, anomalyId }, { within: db });
}

async function explain({ deps, db, scope, now }: Saving, anomalyId: string, { endDate }: Finding): Promise<void> {
  if (deps.config.ai === null || endDate < addDays(dayOf(now), -explainedDays)) return;
  const { organizationId } = scope;
  await deps.queue.add('explain_anomaly', { organizationId, anomalyId }, { within: db });
}

type SeriesKey = Pick<ServiceSeries, 'provider' | 'service' | 'currency'>;

/** Returns a human-readable reason why an anomaly no longer holds, and whether its costs have changed. */
function endReason(
  kept: SeriesKey & Pick<KeptRow, 'startDate' | 'endDate' | 'rangeCost'>,
  { series, start }: Pick<AccountUsage, 'series' | 'start'>,
  findings: readonly Finding[],
): { reason: string; isRestated: boolean } {
  const { startDate, endDate, currency } = kept;
  const isOwn = (each: SeriesKey) =>
    each.provider === kept.provider && each.service === kept.service && each.currency === currency;
  const whole = findings.find((each) => isOwn(each) && each.startDate <= endDate && each.endDate >= startDate);
  if (whole !== undefined)
    return { reason: `It is part of the anomaly that began on ${whole.startDate}.`, isRestated: false };
  const costs = series.find(isOwn)?.costs ?? [];
  const days = costs.slice(Math.max(0, daysBetween(start, startDate)), Math.max(0, daysBetween(start, endDate) + 1));
  const [now, before] = [days.map((cost) => cost ?? '0'), [kept.rangeCost]].map((parts) =>
    amountToNumber(sumAmounts(parts.map(parseAmount))),
  );
  if (now === before || now === undefined || before === undefined)
    return { reason: 'Evaluated again with later bills: these days are not unusual.', isRestated: false };
  if (now === 0) return { reason: lostCosts, isRestated: true };
  return {
    reason: `Restated by the provider: these days now cost ${formatMoney(now, currency)}, not ${formatMoney(before, currency)}, which is not unusual.`,
    isRestated: true,
  };
}
