import { sh } from '../../script.ts';
import { unusedDetector } from './unused.ts';

/** Capacity of a pool is billed, not what its databases do. Catalogue 61. */
export const sqlElasticPoolEmpty = unusedDetector({
  type: 'azure_sql_elastic_pool_empty',
  summary: 'SQL elastic pool without databases',
  arm: 'microsoft.sql/servers/elasticpools',
  noun: 'SQL elastic pool',
  description: 'This pool contains no database, but its capacity is still billed.',
  command: (nativeId) => sh`az sql elastic-pool delete --ids=${nativeId}`,
});
