import { literal } from '../../../engine/sql.ts';
import { factNames } from '../../../engine/codebook.ts';
import { inParts, measureSums, tablesOf, type Batch } from './batch.ts';
import { nameTexts } from './columns.ts';
import type { Duck } from './duck.ts';
import { providerSlug } from './provider.ts';

/** Keys that the rows of fact files are sorted by, before all others. */
const sortKeys = ['ServiceName', 'RegionId', 'SubAccountId', 'ResourceId', 'SkuMeter'];
const keys = factNames('key');
const measures = factNames('measure');

/** A month of a batch, from some of its files. */
export interface MonthPart {
  readonly batch: Batch;
  /** `YYYY-MM` */
  readonly month: string;
  /** Their numbers, as list of SQL. */
  readonly files: string;
}

/** SELECT of the texts of tags of a month's charges, as bills have them. */
export function tagTexts({ batch, month }: MonthPart): string {
  return `SELECT DISTINCT Tags FROM ${tablesOf(batch).charges} WHERE ${inMonth(month)} AND Tags IS NOT NULL`;
}

function inMonth(month: string): string {
  return `period = ${literal(`${month}-01`)}`;
}

/** Makes the tables `charge` (a row per distinct charge of the month, whatever files it is in, numbered in the order of fact files)
 *  and `fact` (a row per charge and day, in that order) from a batch and `tag_map`. A batch whose months are all made is emptied. */
export async function buildFacts(duck: Duck, part: MonthPart): Promise<void> {
  await refuseCollision(duck, part);
  await buildCharges(duck, part);
  const { sums, charges, totals } = tablesOf(part.batch);
  const isMerged = await duck.value('SELECT 1 FROM charge WHERE len(sigs) > 1 LIMIT 1');
  const isWhole = isMerged === null && /^\d+$/.test(part.files);
  await duck.run(`CREATE OR REPLACE TABLE fact AS SELECT id, day, ${isWhole ? measures.join(', ') : measureSums}
    FROM ${sums} JOIN (SELECT DISTINCT unnest(sigs) AS sig, id FROM charge) USING (sig)
    WHERE file_no IN (${part.files}) ${isWhole ? '' : 'GROUP BY id, day'} ORDER BY id, day`);
  part.batch.made.add(part.month);
  const months = await duck.rows(`SELECT DISTINCT strftime(period, '%Y-%m') AS month FROM ${totals}`);
  if (months.every(({ month }) => part.batch.made.has(month ?? '')))
    await duck.run(`DROP TABLE ${sums}; DROP TABLE ${charges}`);
}

/** Costs of two charges with one hash were added up: 64 bits make that all but impossible. */
async function refuseCollision(duck: Duck, { batch, month }: MonthPart): Promise<void> {
  const found = await duck.value(`SELECT sig FROM ${tablesOf(batch).charges} WHERE ${inMonth(month)}
    GROUP BY sig HAVING min(proof) <> max(other_proof) LIMIT 1`);
  if (found !== null)
    throw new Error(`two charges of ${month} have the hash ${found}: their costs cannot be told apart`);
}

async function buildCharges(duck: Duck, part: MonthPart): Promise<void> {
  const list = keys.join(', ');
  const names = nameTexts.map((name) => `min(${name}) AS ${name}`).join(', ');
  await duck.run(`
    CREATE OR REPLACE TABLE spelled AS SELECT hash(${list}) AS h, [sig] AS sigs, ${list}, ${nameTexts.join(', ')} FROM (${await monthCharges(duck, part)});
    CREATE OR REPLACE TABLE repeated AS SELECT h FROM spelled GROUP BY h HAVING count(*) > 1`);
  await inParts(
    async (where) =>
      duck.run(`INSERT INTO spelled BY NAME SELECT first(h) AS h, flatten(list(sigs)) AS sigs, ${list}, ${names}
        FROM spelled WHERE h IN (FROM repeated) AND ${where('h')} GROUP BY ${list}`),
    async () => duck.run('DELETE FROM spelled WHERE len(sigs) > 1'),
  );
  // Charges that agree in all sort keys are in the order of a hash of all keys. Sorting their other texts along does not fit into
  // little memory.
  await duck.run(`
    DELETE FROM spelled WHERE len(sigs) = 1 AND h IN (FROM repeated);
    CREATE OR REPLACE TABLE charge AS SELECT ranked.id, spelled.* EXCLUDE (h) FROM spelled
      JOIN (SELECT rowid AS row, row_number() OVER (ORDER BY ${sortKeys.join(', ')}, h)::INTEGER AS id FROM spelled) ranked
      ON spelled.rowid = ranked.row;
    DROP TABLE spelled; DROP TABLE repeated`);
}

/** SELECT of the month's charges with all texts of facts. */
async function monthCharges(duck: Duck, { batch, month, files }: MonthPart): Promise<string> {
  const { charges, sums } = tablesOf(batch);
  const where = `WHERE ${inMonth(month)}`;
  const providers = await duck.rows(`SELECT DISTINCT ProviderName AS n FROM ${charges} ${where}`);
  const slugs = providers.map(({ n }) => `WHEN ${literal(n ?? '')} THEN ${literal(providerSlug(n ?? ''))}`).join(' ');
  return `SELECT c.* REPLACE (coalesce(x_Provider, CASE ProviderName ${slugs} ELSE 'unknown' END) AS x_Provider, tag_map.tags AS Tags)
    FROM ${charges} c LEFT JOIN tag_map ON c.Tags = tag_map.raw
    ${where} AND sig IN (SELECT DISTINCT sig FROM ${sums} WHERE file_no IN (${files}))`;
}
