import { describe, expect, it } from 'vitest';
import { aContext, aUsage, find } from '../../subject.ts';
import { gcpCases } from './cases.ts';

const { subject } = gcpCases.gcp_cloudsql_ha_nonprod;
const market = { provider: 'gcp', region: 'europe-west1' };

describe('gcp_cloudsql_ha_nonprod', () => {
  it('saves half of the cost of the regional meters', () => {
    const usage = [
      ...subject.usage,
      aUsage({ meter: 'Cloud SQL for PostgreSQL: Regional - Standard storage in Belgium', cost: '40' }),
      aUsage({ meter: 'Cloud SQL: Backups in Belgium', cost: '500' }),
    ];
    // 40 and 20 in 30 days: 60.875 per month.
    expect(find('gcp_cloudsql_ha_nonprod', { subject: { ...subject, usage } })).toMatchObject({
      saving: 60.875,
      method: 'factor',
    });
  });

  it("uses the account's price for zonal databases", () => {
    // 80 - 1000 × 0.05 = 30 in 30 days, 30.4375 per month.
    const context = aContext({ 'Cloud SQL for PostgreSQL: Zonal - vCPU in Belgium': '0.05' }, market);
    expect(find('gcp_cloudsql_ha_nonprod', { subject, context })).toMatchObject({
      saving: 30.4375,
      method: 'observed',
    });
  });

  it('skips production, zonal databases, and databases changed to zonal since', () => {
    expect(find('gcp_cloudsql_ha_nonprod', { subject: { ...subject, tags: { env: 'prod' } } })).toBeNull();
    const usage = [aUsage({ meter: 'Cloud SQL for PostgreSQL: Zonal - vCPU in Belgium' })];
    expect(find('gcp_cloudsql_ha_nonprod', { subject: { ...subject, usage } })).toBeNull();
    expect(find('gcp_cloudsql_ha_nonprod', { subject: { ...subject, metadata: { multiAz: false } } })).toBeNull();
    expect(find('gcp_cloudsql_ha_nonprod', { subject: { ...subject, metadata: { multiAz: true } } })).not.toBeNull();
  });

  it('finds nothing when a zonal database costs the same', () => {
    const at = (price: string) => aContext({ 'Cloud SQL for PostgreSQL: Zonal - vCPU in Belgium': price }, market);
    expect(find('gcp_cloudsql_ha_nonprod', { subject, context: at('0.08') })).toBeNull();
    expect(find('gcp_cloudsql_ha_nonprod', { subject, context: at('0.0799') })).not.toBeNull();
  });
});
