import type { Detector } from '../../detector.ts';
import { nonProductionTag } from '../../environment.ts';
import { sh } from '../../script.ts';
import { onDemandOf, shortId } from '../../subject.ts';
import { repriced } from '../repriced.ts';
import { isOf } from './full-name.ts';

/** A regional instance is billed as two: Google's price list has each of its SKUs at twice the zonal price. */
const zonalSaving = 50;
const regional = /: Regional - /i;

/** Outside production nothing must survive the loss of a zone. Catalogue 79. */
export const cloudSqlHaNonprod: Detector = {
  type: 'gcp_cloudsql_ha_nonprod',
  summary: 'Highly available non-production database',
  provider: 'gcp',
  about: 'resource',
  detect(subject, context) {
    const environment = nonProductionTag(subject);
    if (environment === null || subject.metadata.multiAz === false) return null;
    const usage = onDemandOf(subject, regional).filter(({ meter }) => meter.startsWith('Cloud SQL'));
    const { savings, method } = repriced(
      usage,
      context,
      ({ meter }) => context.prices.priceOf(subject, meter.replace(regional, ': Zonal - ')),
      zonalSaving,
    );
    if (savings.length === 0) return null;
    return {
      title: `Run the database ${subject.name} in a single zone`,
      description:
        `Its labels say that it is not in production (${environment}), and its standby in a second zone doubles ` +
        'its cost. The change restarts the database; backups are not affected.',
      savings,
      confidence: 'high',
      method,
      evidence: {
        environment,
        meters: usage.map(({ meter }) => meter),
        percent: method === 'factor' ? zonalSaving : null,
      },
      scripts: () =>
        isOf(subject.nativeId, /^(sqladmin|cloudsql)$/, 'instances')
          ? [
              {
                kind: 'gcloud',
                title: 'Run the database without a standby',
                script: sh`gcloud sql instances patch ${shortId(subject.nativeId)} --project=${subject.subAccount} --availability-type=zonal`,
                reversible: true,
              },
            ]
          : [],
    };
  },
};
