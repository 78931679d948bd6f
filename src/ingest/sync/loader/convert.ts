import { literal } from '../../../engine/sql.ts';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { factColumns, factNames } from '../../../engine/codebook.ts';
import { addReading, createBatch, dropBatch, type Reading } from './batch.ts';
import { buildFacts, tagTexts, type MonthPart } from './charges.ts';
import type { Duck } from './duck.ts';
import { writeFacts } from './fact-files.ts';
import { signatures } from './line-items.ts';
import { describeMonth } from './month.ts';
import type { LoaderCommands } from './protocol.ts';
import { countings } from './quirks.ts';
import { stageRows } from './read.ts';
import { readTags } from './tags.ts';

type Convert = LoaderCommands['convert'];

const keys = factNames('key');

/** Writes the fact files of a month whose normalised day rows are in a CSV file. */
export async function convertMonth(duck: Duck, request: Convert['args'], jobDir: string): Promise<Convert['result']> {
  const batch = await createBatch(duck, -1);
  const stage = join(jobDir, `stage-${request.month}.parquet`);
  const reading: Reading = {
    no: 0,
    from: `SELECT * FROM read_parquet(${literal(stage)})`,
    files: '0',
    where: 'true',
    keys: ['period', ...keys],
    finish: (charges) =>
      `SELECT *, ${Object.keys(countings)
        .map((name) => `false AS ${name}`)
        .join(', ')} FROM (${charges})`,
  };
  const part: MonthPart = { batch, month: request.month, files: '0' };
  try {
    await stageRows(duck, rowsOf(request), stage);
    await addReading(duck, batch, reading);
    await readTags(duck, tagTexts(part));
    await buildFacts(duck, part);
    const { totals } = await describeMonth(duck, part);
    return { facts: await writeFacts(duck, request, totals, jobDir), totals };
  } finally {
    await rm(stage, { force: true });
    await dropBatch(duck, batch);
  }
}

function rowsOf({ path, month }: Convert['args']): string {
  const header = factColumns.map(({ name, type }) => `${literal(name)}: ${literal(type)}`).join(', ');
  const { sig, proof } = signatures('', keys);
  return `SELECT *, 0 AS file_no, ${sig} AS sig, ${proof} AS proof, DATE '${month}-01' AS period, ChargePeriodStart::DATE AS day
    FROM read_csv(${literal(path)}, auto_detect=false, header=true, columns={${header}}, quote='"', escape='"')`;
}
