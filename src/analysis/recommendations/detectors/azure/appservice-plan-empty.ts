import { sh } from '../../script.ts';
import { unusedDetector } from './unused.ts';

/** Instances of a plan are billed, not what runs on them. Catalogue 60. */
export const appServicePlanEmpty = unusedDetector({
  type: 'azure_appservice_plan_empty',
  summary: 'App Service plan without sites',
  arm: 'microsoft.web/serverfarms',
  noun: 'App Service plan',
  description: 'No site or function app runs on this plan, but its instances are still billed.',
  command: (nativeId) => sh`az appservice plan delete --ids=${nativeId} --yes`,
});
