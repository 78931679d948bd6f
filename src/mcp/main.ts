import { openLog } from '../kit/log.ts';
import { readSettings, type Transport } from './settings.ts';

// Window in milliseconds for duplicate signals: from the terminal, and from the npm process that started us.
const echoMs = 500;

async function start(transport: Transport): Promise<() => Promise<void>> {
  const settings = readSettings(process.env, transport);
  if (transport === 'stdio') {
    const { serveStdio } = await import('./stdio.ts');
    return serveStdio(settings, openLog(settings.logLevel, process.stderr));
  }
  const { serveHttp } = await import('./http/serve.ts');
  const { address, stop } = await serveHttp(settings, openLog(settings.logLevel));
  console.log(`The Costkeep MCP server listens on ${address}/mcp and uses the API at ${settings.apiUrl}`);
  if (settings.token !== null && !/^(127\.\d+\.\d+\.\d+|localhost|::1)$/.test(settings.host))
    console.warn(
      'Everyone who can reach it acts as the user of SVC_API_TOKEN: set MCP_MODE=multi-tenant unless this is intended',
    );
  return stop;
}

/** The first signal shuts down gracefully, the next one immediately. */
function stopOnSignals(stop: () => Promise<void>): void {
  let since: number | null = null;
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (since !== null && Date.now() - since < echoMs) return;
      if (since !== null) process.exit(1);
      since = Date.now();
      stop().then(() => process.exit(0), fail);
    });
}

function fail(error: unknown): never {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}

const usage = `Usage: npm run mcp, or npm run --silent mcp -- --stdio

Starts the MCP server for AI assistants, over HTTP, or for one assistant over standard input and output. See docs/mcp.md.

  --stdio  uses standard input and output`;

const [flag, ...others] = process.argv.slice(2);
if (flag === '--help' || flag === '-h') {
  console.log(usage);
} else if ((flag !== undefined && flag !== '--stdio') || others.length > 0) {
  console.error(`"${others[0] ?? flag}" is not an argument\n\n${usage}`);
  process.exitCode = 2;
} else await start(flag === '--stdio' ? 'stdio' : 'http').then(stopOnSignals, fail);
