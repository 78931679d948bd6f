import { parseProviders } from '../../facts/provider.ts';
import { AnswerCache } from '../../kit/answer-cache.ts';
import { prepareHistory, readHistory, type PreparedHistory } from '../../facts/costs/history/history.ts';
import { readLedger } from '../../facts/costs/ledger.ts';
import type { CostArgs } from '../../facts/costs/question.ts';
import type { EndingCommitment } from '../../facts/coverage/ending.ts';
import type { Deps } from '../../kit/deps.ts';
import { dayOf, monthOf, type Day } from '../../kit/time/period.ts';
import { inThread } from '../../kit/process/threads.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { composeAccuracy, composeForecast } from './compose.ts';
import type { Accuracy, Forecast } from './graphql-types.ts';
import { dividedSeriesOf } from './divided-series.ts';
import { changesKey, changesOf, listChanges, readChanges } from './known-changes.ts';
import { historyDays } from './run.ts';
import { horizonDays, type ForecastModel } from './model.ts';
import type * as work from './work.ts';

/** Request parameters by their GraphQL names. */
export interface ForecastArgs extends Pick<CostArgs, 'accountId' | 'provider' | 'service'> {
  readonly model?: ForecastModel | null;
}

/** A resolved question with the versions of everything its answer depends on. */
export interface PreparedForecast {
  readonly history: PreparedHistory;
  readonly model: ForecastModel;
  /** Commitments that end within the forecast. */
  readonly ending: readonly EndingCommitment[];
  /** The first day with incomplete bills. */
  readonly next: Day;
  /** Equal keys have equal answers: the cache key and the ETag. */
  readonly key: string;
}

type ForecastDeps = Pick<Deps, 'pool' | 'clock' | 'engine'>;

/** Version of the method: increase when equal costs get a different forecast, because clients and proxies cache answers
 *  across server updates. */
const method = 4;

const inForecastThread = inThread<typeof work>(new URL('./work.ts', import.meta.url));
const forecasts = new AnswerCache<Forecast>();
const accuracies = new AnswerCache<Accuracy>();

/** Resolves a request and reads the versions it depends on, in one query. By default, forecasts EffectiveCost in the
 *  organization's currency with the seasonal model.
 *  @throws {AppError} NOT_FOUND when the organization is gone */
export async function prepareForecast(
  deps: ForecastDeps,
  scope: OrgScope,
  { accountId, provider, service, model }: ForecastArgs,
): Promise<PreparedForecast> {
  const ledger = await readLedger(deps.pool, scope);
  const history = prepareHistory(ledger, {
    days: historyDays,
    currency: ledger.currency,
    costMetric: 'effective',
    accountIds: accountId ?? null,
    providers: parseProviders(provider),
    services: service ?? null,
  });
  const next = history.range?.end ?? dayOf(deps.clock.now());
  const asked = model ?? 'seasonal';
  const ending = await listChanges(deps, ledger, history, horizonDays);
  const key = `${history.key}-${asked}-${monthOf(next)}-${method}-${changesKey(ending)}`;
  return { history, model: asked, ending, next, key };
}

/** Forecasts the 60 days after the last complete one. Cached until costs change; computed in a worker thread. */
export function readForecast(
  deps: ForecastDeps,
  { history: prepared, model, ending, next, key }: PreparedForecast,
): Promise<Forecast> {
  return forecasts.get(deps.pool, key, async () => {
    const history = await readHistory(deps, prepared);
    const costs = history && dividedSeriesOf(history);
    if (!costs || costs.whole.values.every(Number.isNaN)) return composeForecast(prepared, model, { history });
    const ends = await readChanges(deps, prepared, ending);
    const input = { costs, model, changes: changesOf(history, next, ends) };
    const computed = await inForecastThread('forecastSeries', input, 'request', prepared.ledger.scope);
    return composeForecast(prepared, model, { history, computed, ends });
  });
}

/** Returns the accuracy of forecasts for the last six complete months, each only from the days before it. Cached until costs
 *  change; computed in a worker thread. */
export function readAccuracy(deps: ForecastDeps, prepared: PreparedForecast): Promise<Accuracy> {
  const { history: of, model, key, next } = prepared;
  return accuracies.get(deps.pool, key, async () => {
    const history = await readHistory(deps, of);
    const costs = history && dividedSeriesOf(history);
    const evaluated = costs?.whole.values.length
      ? await inForecastThread('evaluate', { costs, model }, 'request', of.ledger.scope)
      : null;
    return composeAccuracy(of, model, { history, evaluated, before: next });
  });
}
