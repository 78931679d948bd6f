import path from 'node:path';
import { expect, it } from 'vitest';
import { syncAccount } from '../../../src/ingest/sync/account.ts';
import { runDuck } from '../../support/focus.ts';
import { readFacts } from '../../support/read-facts.ts';
import { billsOfFile } from '../world.ts';

const bills = billsOfFile();
const resources = 2500;
const days = 28;

/** A bill with one charge per resource and day, and long names. */
function billSql(file: string): string {
  return `COPY (SELECT 0.5::DOUBLE AS BilledCost, 0.25::DOUBLE AS EffectiveCost, 1.0::DOUBLE AS ListCost, 0.5::DOUBLE AS ContractedCost,
    'USD' AS BillingCurrency, '1' AS BillingAccountId, 'Payer' AS BillingAccountName,
    TIMESTAMP '2026-06-01' AS BillingPeriodStart, TIMESTAMP '2026-07-01' AS BillingPeriodEnd,
    TIMESTAMP '2026-06-01' + to_days((i // ${resources})::INT) AS ChargePeriodStart,
    TIMESTAMP '2026-06-02' + to_days((i // ${resources})::INT) AS ChargePeriodEnd,
    'Usage' AS ChargeCategory, NULL::VARCHAR AS ChargeClass, 'Hours' AS ChargeDescription, 'Usage-Based' AS ChargeFrequency,
    'AWS' AS ProviderName, 'AWS' AS PublisherName, 'Compute' AS ServiceName, 'Compute' AS ServiceCategory,
    'eu-west-1' AS RegionId, 'Ireland' AS RegionName, '1' AS SubAccountId, 'One' AS SubAccountName,
    'resource/' || i % ${resources} AS ResourceId, repeat(md5((i % ${resources})::VARCHAR), 60) AS ResourceName, 'Instance' AS ResourceType, '{}' AS Tags
    FROM range(${resources * days}) t(i)) TO '${file}' (FORMAT parquet, ROW_GROUP_SIZE 4096)`;
}

it('reads a bill in parts if its groups exceed the memory of the loader', async () => {
  const account = await bills();
  await runDuck(billSql(path.join(account.folder, 'june.parquet')));
  const deps = { ...account.deps, config: { ...account.deps.config, loaderMemoryMiB: 128 } };
  const { signal } = new AbortController();
  const { months } = await syncAccount(deps, account.scope, account.accountId, { signal, onProgress: () => {} });
  expect(months).toMatchObject([{ month: '2026-06', lineItems: resources * days }]);
  const rows = await readFacts(
    deps,
    account.accountId,
    'SELECT count(*)::INT AS facts, count(DISTINCT ResourceId)::INT AS resources, sum(EffectiveCost) AS cost FROM facts',
  );
  expect(rows).toEqual([{ facts: resources * days, resources, cost: '17500.00000000' }]);
});
