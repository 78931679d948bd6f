import { readConfig } from './kit/config.ts';
import type { Running } from './serve.ts';

type Command = (args: readonly string[]) => Promise<void>;

/** What `node src/main.ts NAME` does. Each command loads only what it needs. */
const commands: Readonly<Record<string, Command>> = {
  async serve() {
    const { serve } = await import('./serve.ts');
    untilStopped(await serve(readConfig(process.env)));
  },
  async work() {
    const { work } = await import('./serve.ts');
    untilStopped(await work(readConfig(process.env)));
  },
  async emit(args) {
    const { emit } = await import('./surfaces/emit.ts');
    await emit(args.includes('--check'));
  },
  async demo() {
    const { demo } = await import('./demo/run.ts');
    untilStopped(await demo(process.env));
  },
  async ingest(args) {
    const { ingest } = await import('./ingest/cli.ts');
    process.exitCode = await ingest(args, readConfig(process.env));
  },
};

/** Says where it is, and drains at the first signal; a second one ends at once. */
function untilStopped(running: Running): void {
  console.log(running.address ? `Costkeep listens on ${running.address}` : 'Costkeep works on its queue');
  let isStopping = false;
  const stop = (code: number) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    running.stop().then(() => process.exit(code), fail);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(0));
  running.done.catch((error: unknown) => {
    console.error(`The worker stopped: ${reasons(error)}`);
    if (!isStopping) stop(1);
  });
}

function fail(error: unknown): never {
  console.error(reasons(error));
  process.exit(1);
}

function reasons(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const [name = 'serve', ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (!command) fail(new Error(`Unknown command "${name}"; there are ${Object.keys(commands).join(', ')}`));
else await command(args).catch(fail);
