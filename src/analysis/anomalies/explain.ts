import type { Deps } from '../../kit/deps.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { explainedOf } from './columns.ts';
import { briefOf } from './explanation/brief.ts';
import { faultOf, withNames } from './explanation/check.ts';
import { askModel } from './explanation/model.ts';
import { saveProse, selectAnomaly } from './list-store.ts';

/** What became of asking a model. `failed`: it may be asked again. */
export type Explained = 'kept' | 'rejected' | 'failed' | 'needless';

/** Has the configured model put the facts of an anomaly into words, and keeps them when every figure in them is among the facts.
 *  Otherwise the explanation stays the one that is composed; nobody waits for either. */
export async function explainAnomaly(
  { db, config, log }: Pick<Deps, 'db' | 'config' | 'log'>,
  scope: OrgScope,
  id: string,
  signal: AbortSignal,
): Promise<Explained> {
  const anomaly = config.ai === null ? null : await selectAnomaly(db, scope, id);
  if (config.ai === null || anomaly === null || anomaly.prose !== null) return 'needless';
  const { facts } = explainedOf(anomaly);
  const brief = briefOf(facts);
  try {
    const prose = await askModel(config.ai, brief, signal);
    const fault = faultOf(prose, brief);
    if (fault !== null) {
      log.warn({ anomaly: id, model: config.ai.model, fault }, 'The explanation of the model was discarded');
      return 'rejected';
    }
    await saveProse(db, scope, id, { facts, prose: withNames(prose, brief) });
    return 'kept';
  } catch (error) {
    if (signal.aborted) throw error;
    log.warn({ anomaly: id, model: config.ai.model, reason: reasonOf(error) }, 'The model did not explain an anomaly');
    return 'failed';
  }
}

/** Without what the request held: a key may be in it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? ` ${error.statusCode}` : '';
  return `${error.name}${status}`;
}
