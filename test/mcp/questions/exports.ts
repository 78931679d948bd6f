import { DuckDBInstance } from '@duckdb/node-api';
import { demoRates } from '../../../src/demo/organization/exchange-rates.ts';
import type { Day } from '../../../src/kit/time/period.ts';

/** Queries the sample's exported files, independently of the server. */
export interface Exports {
  /** The rows of a query over `lines`, one per line item: its day, names, tags, and costs in billing currency and in dollars
   *  (`usd`, amortized). */
  rows(sql: string): Promise<Record<string, unknown>[]>;
  /** The sum of matching line items in dollars, amortized unless another column is given. */
  sum(where: string, column?: string): Promise<number>;
  close(): void;
}

const columns = `
  ServiceName AS service, ServiceCategory AS category, coalesce(RegionId, '') AS region, SubAccountName AS sub_account,
  ResourceId AS resource, ChargeCategory AS charge, PricingCategory AS pricing, BillingCurrency AS currency,
  CommitmentDiscountStatus AS commitment_status, CommitmentDiscountCategory AS commitment,
  CAST(EffectiveCost AS DECIMAL(38, 12)) AS effective, CAST(BilledCost AS DECIMAL(38, 12)) AS billed,
  CAST(ListCost AS DECIMAL(38, 12)) AS list`;

/** Opens the exports of a folder.
 *  @param today the sample's current date, which determines the available exchange rates */
export async function openExports(folder: string, today: Day): Promise<Exports> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1', memory_limit: '512MB' });
  const connection = await instance.connect();
  const read = (files: string) => `read_csv('${folder}/${files}', all_varchar = true)`;
  const text = `CAST(CAST(Tags AS JSON) AS MAP(VARCHAR, VARCHAR)) AS tags, CAST(ChargePeriodStart[:10] AS DATE) AS day`;
  const typed = 'Tags AS tags, CAST(make_timestamp(epoch_us(ChargePeriodStart)) AS DATE) AS day';
  const rates = demoRates(today).map(({ month, rate }) => `('${month}', ${rate})`);
  await connection.run(`
    CREATE TABLE rates AS SELECT * FROM (VALUES ${rates.join(', ')}) AS t (month, rate);
    CREATE TABLE lines AS
    WITH bills AS (
      SELECT 'aws' AS provider, ${text}, ${columns} FROM ${read('aws/**/*.csv.gz')}
      UNION ALL BY NAME SELECT 'azure' AS provider, ${text}, ${columns} FROM ${read('azure/**/*.csv')}
      UNION ALL BY NAME SELECT 'gcp' AS provider, ${typed}, ${columns} FROM '${folder}/gcp/**/*.parquet'
    )
    SELECT *, effective * factor AS usd FROM (
      SELECT bills.*, CASE currency WHEN 'EUR' THEN rate ELSE 1 END AS factor
      FROM bills LEFT JOIN rates ON month = strftime(day, '%Y-%m')
    )`);
  const rows: Exports['rows'] = async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJson();
  return {
    rows,
    sum: async (where, column = 'usd') =>
      Number(
        (await rows(`SELECT CAST(coalesce(sum(${column}), 0) AS DOUBLE) AS sum FROM lines WHERE ${where}`))[0]?.['sum'],
      ),
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
