import { parseProviders } from '../../facts/provider.ts';
import { AnswerCache } from '../../facts/costs/cache.ts';
import { openLedger, prepareHistory, readHistory, type PreparedHistory } from '../../facts/costs/history.ts';
import type { Deps } from '../../kit/deps.ts';
import { dayOf, monthOf, type Day } from '../../kit/period.ts';
import { inThread } from '../../kit/threads.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { composeAccuracy, composeForecast, type Accuracy, type Forecast } from './compose.ts';
import { historyDays, seriesOf } from './run.ts';
import type { ForecastModel } from './model.ts';
import type * as work from './work.ts';

/** What a client asks: the contract's parameters, by their GraphQL names. Absent and null mean the same. */
export interface ForecastArgs {
  readonly accountId?: readonly string[] | null;
  readonly provider?: readonly string[] | null;
  readonly service?: readonly string[] | null;
  readonly model?: ForecastModel | null;
}

/** A resolved question and the versions of everything it will be answered from. */
export interface PreparedForecast {
  readonly history: PreparedHistory;
  readonly model: ForecastModel;
  /** The first day whose bills are not complete. */
  readonly next: Day;
  /** Equal keys have equal answers: the cache goes by it, and it is the ETag. */
  readonly key: string;
}

type ForecastDeps = Pick<Deps, 'pool' | 'clock' | 'engine'>;

/** Counted up when the same costs are forecast otherwise: clients and proxies keep answers over an update of the server. */
const method = 1;

const inForecastThread = inThread<typeof work>(new URL('./work.ts', import.meta.url));
const forecasts = new AnswerCache<Forecast>();
const accuracies = new AnswerCache<Accuracy>();

/** Resolves a request and reads the versions it stands on, in one query. EffectiveCost is forecast, in the organization's
 *  currency, by the seasonal model unless another is asked for.
 *  @throws {AppError} NOT_FOUND when the organization is gone */
export async function prepareForecast(
  deps: ForecastDeps,
  scope: OrgScope,
  { accountId, provider, service, model }: ForecastArgs,
): Promise<PreparedForecast> {
  const ledger = await openLedger(deps, scope);
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
  return { history, model: asked, next, key: `${history.key}-${asked}-${monthOf(next)}-${method}` };
}

/** What the 60 days after the last complete one will cost. Cached until costs change; else worked out in a thread. */
export function readForecast(
  deps: ForecastDeps,
  { history: prepared, model, key }: PreparedForecast,
): Promise<Forecast> {
  return forecasts.get(deps.pool, key, async () => {
    const history = await readHistory(deps, prepared);
    const series = history && seriesOf(history);
    const isKnown = series !== null && !series.values.every(Number.isNaN);
    const said = isKnown ? await inForecastThread('forecastSeries', { series, model }, 'request') : null;
    return composeForecast(prepared, model, history, said);
  });
}

/** How well the last six complete months would have been forecast, each from the days before it alone. Cached until costs
 *  change; else worked out in a thread. */
export function readAccuracy(deps: ForecastDeps, prepared: PreparedForecast): Promise<Accuracy> {
  const { history: of, model, key, next } = prepared;
  return accuracies.get(deps.pool, key, async () => {
    const history = await readHistory(deps, of);
    const series = history && seriesOf(history);
    const judged = series?.values.length ? await inForecastThread('judge', { series, model }, 'request') : null;
    return composeAccuracy(of, model, { history, judged, before: next });
  });
}
