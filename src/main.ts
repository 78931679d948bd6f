import os from 'node:os';
import { keepCompiledCode, useCodeCache } from './kit/process/code-cache.ts';
import { type Config, ConfigError, PlaceError, readConfig } from './kit/config/config.ts';
import { startTracing } from './kit/tracing/start.ts';
import { explain } from './operation/cli/command.ts';
import type { Running } from './serve.ts';

/** @returns the exit code */
type Command = (args: readonly string[]) => Promise<number>;

const overview = `Usage: costkeep COMMAND [OPTIONS]

Server:
  serve        starts the server: console, APIs and background jobs (default)
  work         starts a worker, which only processes background jobs
  mcp          starts the MCP server
  demo         starts a server with a sample organization
  health       checks whether the server on this machine is ready

Operation:
  ingest       loads bills from a file or folder
  backup       writes a backup
  restore      restores a backup
  admin        manages users, and checks the installation
  rotate-keys  encrypts the stored secrets with a new key
  new-token    prints a random API token for the first start
  version      prints the version
  help         prints this text

--help after a command describes it. Settings are environment variables: see docs/configuration.md.`;

/** The commands of `costkeep NAME`. Each loads only what it needs. */
const commands: Readonly<Record<string, Command>> = {
  serve: withoutArguments(
    `Usage: npm start, or costkeep serve

Starts the server: console, REST and GraphQL APIs and background jobs. Stops on Ctrl-C or SIGTERM.`,
    () => run(async (config) => (await import('./serve.ts')).serve(config)),
  ),
  work: withoutArguments(
    `Usage: npm run worker, or costkeep work

Starts a worker, which processes background jobs of the servers on the same DATABASE_URL. Stops on Ctrl-C or SIGTERM.`,
    () => run(async (config) => (await import('./serve.ts')).work(config)),
  ),
  health: withoutArguments(
    `Usage: costkeep health

Checks whether the server on this machine (HOST and PORT) is ready. Exit code 1 if it is not.`,
    async () => {
      const { checkHealth } = await import('./health-check.ts');
      console.log(await checkHealth(process.env));
    },
  ),
  demo: withoutArguments(
    `Usage: npm run demo, or costkeep demo

Starts a server with a sample organization: three clouds and 13 months of data. Its data is in .data/demo unless DATA_DIR
is set. Stops on Ctrl-C or SIGTERM.`,
    async () => {
      const { demo } = await import('./demo/run.ts');
      await keep(() => demo(process.env));
    },
  ),
  async backup(args) {
    const { backup } = await import('./operate.ts');
    return backup(args, process.env);
  },
  async restore(args) {
    const { restore } = await import('./operate.ts');
    return restore(args, process.env);
  },
  async admin(args) {
    const { admin } = await import('./operate.ts');
    return admin(args, process.env);
  },
  'rotate-keys': withoutArguments(
    `Usage: npm run keys:rotate, or costkeep rotate-keys

Encrypts second factors, webhooks and channels with the first key of ENCRYPTION_KEY=NEW_KEY,OLD_KEY. Credentials of accounts
are re-encrypted by their next sync; then the old key can be removed.`,
    async () => {
      const { open } = await import('./start.ts');
      const { rotateTotpSecrets } = await import('./tenancy/second-factor/rotate.ts');
      const { upgradeBar } = await import('./ingest/upgrade/progress.ts');
      const { refuseOwner } = await import('./operation/installed.ts');
      const config = readConfig(process.env);
      refuseOwner(config);
      const { deps, close } = await open(config, upgradeBar());
      const { rotateWebhooks } = await import('./actions/notifications/run.ts');
      const { rotateChannels } = await import('./actions/notifications/channels/change.ts');
      const { recordKey } = await import('./kit/secrets/shared-key.ts');
      const rotate = async () => {
        const rotated = (await rotateTotpSecrets(deps)) + (await rotateWebhooks(deps)) + (await rotateChannels(deps));
        await recordKey(deps.pool, deps.config.encryptionKeys);
        return rotated;
      };
      const count = await rotate().finally(close);
      console.log(`${count} ${count === 1 ? 'secret' : 'secrets'} re-encrypted with the first ENCRYPTION_KEY`);
    },
  ),
  version: withoutArguments('Usage: costkeep version\n\nPrints the version.', async () => {
    const { version } = await import('./kit/package.ts');
    console.log(version);
  }),
  'new-token': withoutArguments(
    `Usage: npm run token:new, or costkeep new-token

Prints a random API token for COSTKEEP_INIT_TOKEN, which gives it to the Super Admin at the first start.`,
    async () => {
      const { newToken } = await import('./tenancy/tokens/run.ts');
      console.log(newToken());
    },
  ),
  async ingest(args) {
    const { ingest } = await import('./ingest-cli.ts');
    const { evaluateAccount } = await import('./analysis/evaluation/run.ts');
    return ingest(args, process.env, evaluateAccount);
  },
  help: withoutArguments(overview, async () => console.log(overview)),
};

/** A command without arguments, which handles signals itself. */
function withoutArguments(usage: string, work: () => Promise<void>): Command {
  return (args) => explain({ usage, options: {}, positionals: [], run: async () => (await work(), 0) }, args);
}

/** EX_CONFIG of sysexits.h: a supervisor need not start the program again. */
const configExit = 78;

const signals = ['SIGTERM', 'SIGINT'] as const;
/** Milliseconds. Ctrl-C arrives twice: from the terminal, and from the npm that started this process. */
const echoMs = 500;

/** Runs a server or a worker. */
async function run(start: (config: Config) => Promise<Running>): Promise<void> {
  const config = readConfig(process.env);
  useCodeCache(config.dataDir);
  const stopTracing = await startTracing(process.env);
  const explained = async (error: unknown) => {
    const { cannotConnect } = await import('./operation/installed.ts');
    throw cannotConnect(config, error);
  };
  await keep(async () => announce(await start(config).catch(explained)), stopTracing);
}

/** Starts something and runs it until a signal. A signal during startup exits at once; the next start recovers. A later one
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
  const started = await start().catch(fail);
  running = started;
  keepCompiledCode();
  started.done.catch((error: unknown) => {
    console.error(`The worker stopped: ${reasons(error)}`);
    if (stoppingSince === null) stop(started, 1);
  });
}

/** Prints what runs, and where. */
function announce(running: Running): Running {
  const { address, home } = running;
  const what = address ? `Costkeep listens on ${address}` : 'Costkeep processes background jobs';
  console.log(home ? `${what}; its database is in ${home}` : what);
  return running;
}

function fail(error: unknown): never {
  console.error(reasons(error));
  process.exit(error instanceof ConfigError && !(error instanceof PlaceError) ? configExit : 1);
}

function reasons(error: unknown): string {
  // A host with several addresses fails with an error for each.
  if (error instanceof AggregateError) return error.errors.map(reasons).join('; ');
  return error instanceof Error ? error.message : String(error);
}

const [first = 'serve', ...args] = process.argv.slice(2);
const aliases: Readonly<Record<string, string>> = {
  '--version': 'version',
  '-v': 'version',
  '--help': 'help',
  '-h': 'help',
};
const name = aliases[first] ?? first;
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command) process.exitCode = await command(args).catch(fail);
else {
  console.error(`There is no command "${name}"\n\n${overview}`);
  process.exitCode = 2;
}
