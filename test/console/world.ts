import { afterAll, beforeAll } from 'vitest';
import { apiOf, registerOrganization, type ConsoleApi } from './client.ts';
import { demoData, emptyData, type Person, type ServerData } from './data.ts';
import { startServer, type TestServer } from './server.ts';
import { inWorker } from './worker.ts';

export { registerAt } from './client.ts';
export type { Person } from './data.ts';

/** A server with its worker in this process. */
export interface ConsoleWorld extends ConsoleApi, Pick<TestServer, 'deps'> {}

type Settings = Readonly<Record<string, string>>;

/** The demo's organization on the server that all files of a worker share. Tests may change records that they created, but
 *  not the organization itself, and query their expectations from the API. */
export function demoWorld(): () => ConsoleWorld {
  let world: ConsoleWorld | undefined;
  inWorker.beforeAll(async ({ demoServer }) => {
    world = worldOf(demoServer);
  }, 300_000);
  return () => opened(world);
}

/** A new organization on a server that all files of a worker share. */
export function newOrganization(): () => ConsoleWorld {
  let world: ConsoleWorld | undefined;
  inWorker.beforeAll(async ({ emptyServer }) => {
    world = worldOf(emptyServer, await registerOrganization(emptyServer));
  }, 120_000);
  return () => opened(world);
}

/** A server with the demo's organization for one file, which may change anything.
 *  @param env overrides of the defaults */
export function ownDemoWorld(env: Settings = {}): () => ConsoleWorld {
  return own(() => demoData(env));
}

/** A server without users, for one file.
 *  @param env overrides of the defaults */
export function emptyWorld(env: Settings = {}): () => ConsoleWorld {
  return own(() => emptyData(env));
}

function own(prepare: () => Promise<ServerData>): () => ConsoleWorld {
  let stop: (() => Promise<void>) | undefined;
  let world: ConsoleWorld | undefined;
  beforeAll(async () => {
    const server = await startServer(await prepare());
    stop = server.stop;
    world = worldOf(server);
  }, 300_000);
  afterAll(async () => {
    await stop?.();
    stop = world = undefined;
  });
  return () => opened(world);
}

function opened(world: ConsoleWorld | undefined): ConsoleWorld {
  if (!world) throw new Error('The world is not open yet; use it in a test');
  return world;
}

function worldOf(server: TestServer, admin?: Person): ConsoleWorld {
  return { ...apiOf(server, admin), deps: server.deps };
}
