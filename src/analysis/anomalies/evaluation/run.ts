import type * as detector from '../detection/detector.ts';
import { inThread } from '../../../kit/process/threads.ts';
import type { Deps } from '../../../kit/deps.ts';
import { addDays, daysBetween, type Day } from '../../../kit/time/period.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import { readDrivers } from './driver-store.ts';
import { virtualTagsOf, readTagDrivers } from './tag-driver-store.ts';
import { factsOf, type AnomalyFacts } from '../explanation/facts.ts';
import { isCurrencyChange } from './currency-change.ts';
import { findingsOf, matchFindings, type Finding } from './finding.ts';
import { minimumImpactIn } from '../detection/settings.ts';
import { evaluatedDays, readSeries, type AccountUsage, type ServiceSeries } from './series-store.ts';
import { isReturning, saveFindings, saveWithoutUsage, type AnomaliesEvaluated, type Found } from './save.ts';
import { digestOf, readKept } from './write-store.ts';
import { compare } from '../../../kit/sort.ts';

/** Dependencies of anomaly detection. */
export type AnomalyDeps = Pick<Deps, 'db' | 'pool' | 'engine' | 'clock' | 'queue' | 'config'>;

/** Series per worker task: less than a second of work. */
const batchSize = 8;
/** Days after which an anomaly's bills are closed: those of the month before last. */
const settledDays = 62;
/** Maximum attempts when loads intervene between reading and writing. */
const mostTries = 3;

const inOwnThread = inThread<typeof detector>(new URL('../detection/detector.ts', import.meta.url));

/** Detects an account's anomalies in the 182 days up to its last complete one: inserts and announces new ones, updates known
 *  ones, and resolves those that no longer hold or are over. Idempotent. The account is locked only while writing: if a load intervenes,
 *  detection is repeated. */
export async function evaluateAnomalies(
  deps: AnomalyDeps,
  scope: OrgScope,
  accountId: string,
): Promise<AnomaliesEvaluated> {
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const usage = await readSeries(deps, scope, accountId);
    if (usage === null) return saveWithoutUsage(deps, scope, accountId);
    const done = await evaluateOnce(deps, scope, usage);
    if (done !== null) return done;
  }
  // Each of the loads has queued its own evaluation.
  return { created: 0, ended: 0 };
}

async function evaluateOnce(
  deps: AnomalyDeps,
  scope: OrgScope,
  usage: AccountUsage,
): Promise<AnomaliesEvaluated | null> {
  const since = addDays(usage.end, 1 - evaluatedDays);
  const findings = await findAll(usage, since);
  const facts = await readFacts(deps, scope, { usage, since, findings });
  return saveFindings(deps, scope, { usage, since, findings, facts });
}

async function findAll(usage: AccountUsage, since: Day): Promise<Finding[]> {
  const { series, start, learnFrom } = usage;
  // Series that never cost as much as the minimum impact cannot have an anomaly.
  const worth = series.filter(({ costs, currency }) =>
    costs.some((cost) => Number(cost ?? 0) >= minimumImpactIn(currency)),
  );
  const findings: Finding[] = [];
  for (let at = 0; at < worth.length; at += batchSize) {
    const batch = worth.slice(at, at + batchSize);
    const detections = await inOwnThread(
      'replaySeries',
      batch.map((own) => inputOf(own, { start, learnFrom: daysBetween(start, learnFrom) })),
      'job',
    );
    for (const [index, detection] of detections.entries()) {
      const own = batch[index];
      if (own !== undefined) findings.push(...findingsOf(own, detection, start, since));
    }
  }
  const unexplained = findings.filter((finding) => !isCurrencyChange(finding, usage));
  return unexplained.toSorted((a, b) => compare(a.startDate, b.startDate));
}

function inputOf({ costs, currency }: ServiceSeries, days: Pick<detector.DailyCosts, 'start' | 'learnFrom'>) {
  const known = costs.map((cost) => (cost === null ? NaN : Number(cost)));
  return { ...days, costs: known, minimumImpact: minimumImpactIn(currency) };
}

/** Reads the drivers of each finding to be written. A known one with unchanged figures can still have another cause, as long
 *  as its bills are open. */
async function readFacts(
  deps: AnomalyDeps,
  scope: OrgScope,
  { usage, since, findings }: Omit<Found, 'facts'>,
): Promise<Map<Finding, AnomalyFacts>> {
  const { known } = matchFindings(await readKept(deps.pool, scope, usage.accountId, since), findings);
  const same = new Set(
    known
      .filter(({ kept, finding }) => kept.digest === digestOf(finding) && !isReturning(kept, finding, usage.end))
      .map(({ finding }) => finding),
  );
  const virtual = await virtualTagsOf(deps, scope, usage.accountId);
  const facts = new Map<Finding, AnomalyFacts>();
  for (const finding of findings) {
    const isSettled = daysBetween(finding.endDate, usage.end) > settledDays;
    if (same.has(finding) && isSettled) continue;
    const { sums, newResources } = await readDrivers(deps, usage.facts, finding);
    const byTag = await readTagDrivers(deps, usage.facts, virtual, finding);
    facts.set(finding, factsOf(finding, { sums: [...sums, ...byTag], newResources }));
  }
  return facts;
}
