import { evaluateAccount } from '../../src/analysis/evaluation/run.ts';
import { evaluateRecommendations } from '../../src/analysis/recommendations/evaluation/run.ts';
import { readConfig } from '../../src/kit/config/config.ts';
import { open } from '../../src/start.ts';
import { orgScope } from '../../src/tenancy/auth/scope.ts';

/** Evaluates an account in its own process, and reports the duration and peak memory. Arguments: `everything` or
 *  `recommendations`, organization and account. */
const [what, organizationId = '', accountId = ''] = process.argv.slice(2);
const { deps, close } = await open(readConfig(process.env));
const start = performance.now();
const evaluate = what === 'everything' ? evaluateAccount : evaluateRecommendations;
await evaluate(deps, orgScope(organizationId, null), accountId);
const seconds = (performance.now() - start) / 1000;
process.send?.({ seconds, peakMiB: process.resourceUsage().maxRSS / 1024 });
await close();
process.disconnect?.();
