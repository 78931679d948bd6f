import { openFactStore } from '../../../engine/stores/open.ts';
import { openEngine } from '../../../engine/open.ts';
import { connect, inSession } from '../../../kit/database/open.ts';
import { AppError } from '../../../kit/errors/errors.ts';
import { openLog } from '../../../kit/log.ts';
import { ReportGone } from '../file-store.ts';
import { writeFile } from './file.ts';
import type { WritingOrder, WritingResult } from './process.ts';

// Writes one report in a separate process, so that its memory use and the drawing of a thousand pages do not affect the
// server.

async function write(order: WritingOrder): Promise<WritingResult> {
  const log = openLog('warn');
  const database = await connect(inSession(order.connection), log);
  const engine = openEngine(order.config, await openFactStore(order.config), log);
  const client = await database.pool.connect();
  const now = new Date(order.now);
  const deps = { db: database.prisma, pool: database.pool, clock: { now: () => now }, engine };
  try {
    return { written: await writeFile(deps, client, order) };
  } finally {
    client.release();
    await engine.close();
    await database.stop();
  }
}

function resultOf(error: unknown): WritingResult {
  if (error instanceof ReportGone) return { gone: error.message };
  if (error instanceof AppError && error.status < 500) return { refused: error.statement };
  return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

process.once('message', (order: WritingOrder) => {
  void write(order)
    .catch(resultOf)
    .then((result) => process.send?.(result, () => process.exit()));
});
// The parent is gone: another process will start over.
process.once('disconnect', () => process.exit(1));
