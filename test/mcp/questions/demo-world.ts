import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { syncAccounts } from '../../../src/demo/organization/accounts.ts';
import { decide } from '../../../src/demo/organization/decisions.ts';
import { demoRates } from '../../../src/demo/organization/exchange-rates.ts';
import { recordListings } from '../../../src/demo/inventory/inventory.ts';
import { writeTagPolicies } from '../../../src/demo/organization/tag-policies.ts';
import { demoOrigin, openTenant, type DemoTenant } from '../../../src/demo/organization/tenant.ts';
import { writeUnitMetrics } from '../../../src/demo/organization/unit-metrics.ts';
import { writeVirtualTags } from '../../../src/demo/organization/virtual-tags.ts';
import { watch } from '../../../src/demo/organization/watch.ts';
import { writeDemo } from '../../../src/demo/files/write.ts';
import { dayOf } from '../../../src/kit/time/period.ts';
import { setExchangeRates } from '../../../src/tenancy/org/exchange-rates.ts';
import { runJobs } from '../../support/jobs.ts';
import { worldOfFile, type World } from '../../support/world.ts';
import { callsOf, connectTo, now, type McpWorld } from '../world.ts';

/** The sample's current date. */
export const today = dayOf(now);

/** The sample organization as created by `npm run demo`, with an MCP server. */
export interface DemoWorld extends World, Pick<McpWorld, 'callTool' | 'tryTool'> {
  /** The API token of the MCP server. */
  readonly token: string;
  /** The folder with the exports that were loaded. */
  readonly exports: string;
}

/** Opens one world for all tests of a file. */
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
    if (!opened) throw new Error('The world is not open yet; use it in a test');
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

/** Loads data in the order of `npm run demo`, running jobs here instead of in a worker. */
async function fill({ deps, jobs }: World, { viewer }: DemoTenant): Promise<void> {
  const { scope, userId, email } = viewer;
  const actor = { ...demoOrigin, organizationId: scope.organizationId, userId, email };
  await setExchangeRates(deps, scope, actor, demoRates(today));
  await writeTagPolicies(deps, viewer, actor);
  const orders = await writeUnitMetrics(deps, viewer, actor);
  await writeVirtualTags(deps, viewer, actor, orders);
  const accounts = await syncAccounts(deps, viewer, actor);
  await recordListings(deps, scope, accounts);
  await Promise.all(jobs.splice(0).map((job) => runJobs(deps, [job])));
  await runJobs(deps, jobs);
  await decide(deps, viewer, actor);
  await watch(deps, viewer, actor, accounts);
  await runJobs(deps, jobs);
}
