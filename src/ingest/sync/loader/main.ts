import { exhaustedBy } from '../../../kit/errors/exhausted.ts';
import { keepCompiledCode } from '../../../kit/process/code-cache.ts';
import type { ProcessRequest } from '../../../kit/process/asked-process.ts';
import { convertMonth, exportMonth } from './month/month.ts';
import { openDuck, type Duck } from './duck.ts';
import { readCompanions, recognize } from './companions/read.ts';
import { openRegular } from '../../../providers/focus/in-place.ts';
import { withOneOpened, withOpened } from './in-place.ts';
import { forgetBatches, guessMonths, inspectMonths, readFiles } from './bill/read.ts';
import type { LoaderCommands, LoaderMessage } from './protocol.ts';
import { isOutOfMemory, Refusal, UnknownTable } from './refusal.ts';

/** The loader process runs DuckDB apart from the server, so that neither a crash nor memory exhaustion takes the server down.
 *  It has no database connection, secrets or network, and reads only the job's files. */
let reader: Duck | null = null;
/** Second connection: one batch is exported while the next is read. */
let exporter: Duck | null = null;
let jobDir = '';
let rowsBefore = 0;
/** Current scan of the reading, and the number of scans. */
let scan = { done: 0, of: 1 };
let fraction = 0;

const outOfMemory = 'the bill needs more memory than the loader has; increase LOADER_MEMORY_MIB';

type Handlers = {
  [C in keyof LoaderCommands]: (args: LoaderCommands[C]['args']) => Promise<LoaderCommands[C]['result']>;
};

function opened(duck: Duck | null): Duck {
  if (!duck) throw new Error('the loader has not been opened');
  return duck;
}

const handlers: Handlers = {
  async open(args) {
    jobDir = args.jobDir;
    reader = await openDuck(jobDir, args.paths, args.memoryMiB, args.threads);
    exporter = await reader.beside();
    keepCompiledCode();
    return null;
  },
  async close() {
    exporter?.close();
    reader?.close();
    [exporter, reader, jobDir, rowsBefore, fraction] = [null, null, '', 0, 0];
    forgetBatches();
    return { rss: process.memoryUsage.rss() };
  },
  inspect: (args) => withOneOpened(args.file, (file) => inspectMonths(opened(reader), file)),
  recognize: (args) => withOneOpened(args.file, (file) => recognize(opened(reader), file)),
  state: (args) => withOpened(args.files, (files) => readCompanions(opened(reader), files, jobDir)),
  guess: (args) => withOneOpened(args.file, (file) => guessMonths(opened(reader), file, jobDir), openRegular),
  async read({ batch, files: given, months }) {
    fraction = 0;
    const parts = await withOpened(given, (files) =>
      readFiles(opened(reader), {
        batch,
        files,
        months,
        jobDir,
        onScan: (done, of) => (scan = { done, of }),
        onPassedOver: (passedOver) => send({ passedOver }),
      }),
    );
    rowsBefore += parts.reduce((sum, part) => sum + part.lineItems, 0);
    return parts;
  },
  export: (owner) => exportMonth(opened(exporter), owner, jobDir),
  convert: (request) => convertMonth(opened(exporter), request, jobDir),
};

function send(message: LoaderMessage): void {
  if (process.connected) process.send?.(message);
}

async function answer(request: ProcessRequest<LoaderCommands>): Promise<void> {
  const timer = setInterval(() => {
    const progress = reader?.connection.progress;
    if (request.command !== 'read' || !progress || progress.percentage < 0) return;
    fraction = Math.max(fraction, (scan.done + progress.percentage / 100) / scan.of);
    send({ rows: rowsBefore + (fraction * Number(progress.total_rows_to_process)) / 2, fraction });
  }, 300);
  try {
    const handler = handlers[request.command] as (args: unknown) => Promise<unknown>;
    send({ id: request.id, result: await handler(request.args) });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // The message of a refusal may quote the file, and so seem to name a resource; its cause does not.
    const exhausted = exhaustedBy(error instanceof Refusal ? error.cause : error);
    if (exhausted !== null && exhausted !== 'memory') send({ id: request.id, failed: message });
    else if (isOutOfMemory(error)) send({ id: request.id, refused: `${outOfMemory} (${message.split('\n')[0]})` });
    else if (error instanceof UnknownTable)
      send({ id: request.id, unknown: { file: error.file, because: error.because } });
    else send(error instanceof Refusal ? { id: request.id, refused: message } : { id: request.id, failed: message });
  } finally {
    clearInterval(timer);
  }
}

let reading = Promise.resolve();
let exporting = Promise.resolve();
process.on('message', (request: ProcessRequest<LoaderCommands>) => {
  if (request.command === 'export' || request.command === 'convert') exporting = exporting.then(() => answer(request));
  else reading = reading.then(() => answer(request));
});
// The server is gone.
process.on('disconnect', () => process.exit(0));
