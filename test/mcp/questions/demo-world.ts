import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { syncAccounts } from '../../../src/demo/accounts.ts';
import { decide } from '../../../src/demo/decisions.ts';
import { demoRates } from '../../../src/demo/exchange-rates.ts';
import { recordListings } from '../../../src/demo/inventory.ts';
import { writeTagPolicies } from '../../../src/demo/tag-policies.ts';
import { demoOrigin, openTenant, type DemoTenant } from '../../../src/demo/tenant.ts';
import { watch } from '../../../src/demo/watch.ts';
import { writeDemo } from '../../../src/demo/write.ts';
import { dayOf } from '../../../src/kit/period.ts';
import { setExchangeRates } from '../../../src/tenancy/org/exchange-rates.ts';
import { runJobs } from '../../support/jobs.ts';
import { worldOfFile, type World } from '../../support/world.ts';
import { callsOf, connectTo, now, type McpWorld } from '../world.ts';

/** Today in the sample. */
export const today = dayOf(now);

/** The sample organization as `npm run demo` makes it, and an MCP server in front of it. */
export interface DemoWorld extends World, Pick<McpWorld, 'callTool' | 'tryTool'> {
  /** The token that the MCP server has. */
  readonly token: string;
  /** The exports that it was loaded from. */
  readonly exports: string;
}

/** One for all tests of a file. */
export function demoWorld(): () => DemoWorld {
  const exports = mkdtempSync(path.join(tmpdir(), 'costkeep-demo-'));
  const world = worldOfFile({ clock: { now: () => now }, config: { focusRoot: exports } });
  let opened: { world: DemoWorld; close: () => Promise<void> } | undefined;
  beforeAll(async () => {
    await writeDemo(exports, today);
    opened = await open(world(), exports);
  }, 180_000);
  afterAll(async () => {
    await opened?.close();
    rmSync(exports, { recursive: true });
  });
  return () => {
    if (!opened) throw new Error('The world opens before the first test');
    return opened.world;
  };
}

async function open(world: World, exports: string) {
  const tenant = await openTenant(world.deps);
  await fill(world, tenant);
  const { email, password } = tenant;
  const login = await world.rest<{ access_token: string }>('POST', '/auth/login', { body: { email, password } });
  const made = await world.rest<{ token: string }>('POST', '/auth/tokens', {
    token: login.body.access_token,
    body: { name: 'assistant' },
  });
  const { token } = made.body;
  const { client, close } = await connectTo(world.url, token);
  return { world: { ...world, token, exports, ...(await callsOf(client)) }, close };
}

/** In the order of `npm run demo`; the jobs are done here instead of by a worker. */
async function fill({ deps, jobs }: World, { viewer }: DemoTenant): Promise<void> {
  const { scope, userId, email } = viewer;
  const actor = { ...demoOrigin, organizationId: scope.organizationId, userId, email };
  await setExchangeRates(deps, scope, actor, demoRates(today));
  await writeTagPolicies(deps, viewer, actor);
  const accounts = await syncAccounts(deps, viewer, actor);
  await recordListings(deps, scope, accounts);
  await Promise.all(jobs.splice(0).map((job) => runJobs(deps, [job])));
  await runJobs(deps, jobs);
  await decide(deps, viewer, actor);
  await watch(deps, viewer, actor, accounts);
  await runJobs(deps, jobs);
}
