// A process that writes the sample's exports to the folder, up to the day, given as arguments. It computes for
// seconds and uses half a gigabyte of memory, which would slow down the running server.
import { parseDay } from '../../kit/time/period.ts';
import { writeDemo } from './write.ts';

/** Messages to the parent process: the completed share, 0 to 1; finally the number of line items or the error. */
export type WriterMessage = { readonly done: number } | { readonly lineItems: number } | { readonly failed: string };

function send(message: WriterMessage): void {
  process.send?.(message);
}

async function main(folder: string, day: string): Promise<void> {
  const today = parseDay(day);
  if (!today) throw new Error(`"${day}" is not a day`);
  send({ lineItems: await writeDemo(folder, today, (done) => send({ done })) });
}

process.once('disconnect', () => process.exit(1)); // the parent is gone
const [folder = '', day = ''] = process.argv.slice(2);
await main(folder, day).catch((error: unknown) =>
  send({ failed: error instanceof Error ? error.message : String(error) }),
);
process.removeAllListeners('disconnect').disconnect?.();
