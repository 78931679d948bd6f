// A process that writes the sample's exports, into the folder and up to the day of its arguments. It computes for seconds
// and takes half a gigabyte: the server, which answers meanwhile, should have neither.
import { parseDay } from '../../kit/time/period.ts';
import { writeDemo } from './write.ts';

/** What it says to the process that started it: the share that is done, 0 to 1; at last how many line items the files hold,
 *  or why they could not be written. */
export type WriterMessage = { readonly done: number } | { readonly lineItems: number } | { readonly failed: string };

function tell(message: WriterMessage): void {
  process.send?.(message);
}

async function main(folder: string, day: string): Promise<void> {
  const today = parseDay(day);
  if (!today) throw new Error(`"${day}" is no day`);
  tell({ lineItems: await writeDemo(folder, today, (done) => tell({ done })) });
}

process.once('disconnect', () => process.exit(1)); // nobody waits for it any more
const [folder = '', day = ''] = process.argv.slice(2);
await main(folder, day).catch((error: unknown) =>
  tell({ failed: error instanceof Error ? error.message : String(error) }),
);
process.removeAllListeners('disconnect').disconnect?.();
