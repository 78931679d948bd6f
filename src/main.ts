import os from 'node:os';
import { keepCompiledCode, useCodeCache } from './kit/process/code-cache.ts';
import { readConfig } from './kit/config/config.ts';
import { startTracing } from './kit/tracing/start.ts';
import type { Running } from './serve.ts';

type Command = (args: readonly string[]) => Promise<void>;

/** The commands of `costkeep NAME`. Each loads only what it needs. */
const commands: Readonly<Record<string, Command>> = {
  async serve() {
    const config = readConfig(process.env);
    useCodeCache(config.dataDir);
    const stopTracing = await startTracing(process.env);
    const { serve } = await import('./serve.ts');
    await keep(async () => tell(await serve(config)), stopTracing);
  },
  async work() {
    const config = readConfig(process.env);
    useCodeCache(config.dataDir);
    const stopTracing = await startTracing(process.env);
    const { work } = await import('./serve.ts');
    await keep(async () => tell(await work(config)), stopTracing);
  },
  async health() {
    const { checkHealth } = await import('./health-check.ts');
    console.log(await checkHealth(process.env));
  },
  async demo() {
    const { demo } = await import('./demo/run.ts');
    await keep(() => demo(process.env));
  },
  async backup(args) {
    const { backup } = await import('./operate.ts');
    process.exitCode = await backup(args, process.env);
  },
  async restore(args) {
    const { restore } = await import('./operate.ts');
    process.exitCode = await restore(args, process.env);
  },
  async admin(args) {
    const { admin } = await import('./operate.ts');
    process.exitCode = await admin(args, process.env);
  },
  async 'rotate-keys'() {
    const { open } = await import('./start.ts');
    const { rotateTotpSecrets } = await import('./tenancy/second-factor/rotate.ts');
    const { upgradeBar } = await import('./ingest/upgrade/progress.ts');
    const { deps, close } = await open(readConfig(process.env), upgradeBar());
    const { rotateWebhooks } = await import('./actions/notifications/run.ts');
    const { recordKey } = await import('./kit/secrets/shared-key.ts');
    const rotate = async () => {
      const rotated = (await rotateTotpSecrets(deps)) + (await rotateWebhooks(deps));
      await recordKey(deps.pool, deps.config.encryptionKeys);
      return rotated;
    };
    const count = await rotate().finally(close);
    console.log(`${count} ${count === 1 ? 'secret' : 'secrets'} re-encrypted with the first ENCRYPTION_KEY`);
  },
  async version() {
    const { version } = await import('./kit/package.ts');
    console.log(version);
  },
  async 'new-token'() {
    const { newToken } = await import('./tenancy/tokens/run.ts');
    console.log(newToken());
  },
  async ingest(args) {
    const { ingest } = await import('./ingest-cli.ts');
    const { evaluateAccount } = await import('./analysis/evaluation/run.ts');
    process.exitCode = await ingest(args, readConfig(process.env), evaluateAccount);
  },
};

const signals = ['SIGTERM', 'SIGINT'] as const;
/** Milliseconds. Ctrl-C arrives twice: from the terminal, and from the npm that started this process. */
const echoMs = 500;

/** Starts something and runs it until a signal. A signal during the start exits at once; the next start recovers. A later one
 *  drains; a second one exits at once. */
async function keep(start: () => Promise<Running>, stopTracing = async () => {}): Promise<void> {
  let running: Running | null = null;
  let stoppingSince: number | null = null;
  const stop = (started: Running, code: number) => {
    if (stoppingSince !== null && Date.now() - stoppingSince < echoMs) return;
    if (stoppingSince !== null) process.exit(1);
    stoppingSince = Date.now();
    started
      .stop()
      .finally(stopTracing)
      .then(() => process.exit(code), fail);
  };
  // One listener for all phases: a signal that arrives while one listener replaces another would be lost.
  for (const signal of signals)
    process.on(signal, () => (running ? stop(running, 0) : process.exit(128 + os.constants.signals[signal])));
  const started = await start();
  running = started;
  keepCompiledCode();
  started.done.catch((error: unknown) => {
    console.error(`The worker stopped: ${reasons(error)}`);
    if (stoppingSince === null) stop(started, 1);
  });
}

function tell(running: Running): Running {
  const { address, home } = running;
  const what = address ? `Costkeep listens on ${address}` : 'Costkeep processes background jobs';
  console.log(home ? `${what}; its database is in ${home}` : what);
  return running;
}

function fail(error: unknown): never {
  console.error(reasons(error));
  process.exit(1);
}

function reasons(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const [first = 'serve', ...args] = process.argv.slice(2);
const name = first === '--version' || first === '-v' ? 'version' : first;
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (!command) fail(new Error(`Unknown command "${name}"; use one of ${Object.keys(commands).join(', ')}`));
else await command(args).catch(fail);
