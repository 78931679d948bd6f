import { afterAll, beforeAll } from 'vitest';
import { apiOf, registerOrganization, type ConsoleApi } from '../client.ts';
import { demoData, emptyData, type ServerData } from '../data.ts';
import { inWorker, startServer } from './worker.ts';

type Settings = Readonly<Record<string, string>>;

/** A server of one file, and its environment. */
export interface OwnApi extends ConsoleApi, Pick<ServerData, 'env'> {}

/** The demo's organization on the server that all files of a worker share, as in `../world.ts`. */
export function demoApi(): () => ConsoleApi {
  let api: ConsoleApi | undefined;
  inWorker.beforeAll(({ demoServer }) => {
    api = apiOf(demoServer);
  }, 300_000);
  return () => opened(api);
}

/** A new organization on the empty server that all files of a worker share. */
export function newOrganizationApi(): () => ConsoleApi {
  let api: ConsoleApi | undefined;
  inWorker.beforeAll(async ({ emptyServer }) => {
    api = apiOf(emptyServer, await registerOrganization(emptyServer));
  }, 120_000);
  return () => opened(api);
}

/** A server with the demo's organization for one file, which may change anything on it.
 *  @param env what differs from the defaults */
export function ownDemoApi(env: Settings = {}): () => OwnApi {
  return own(() => demoData(env));
}

/** A server without users, for one file.
 *  @param env what differs from the defaults */
export function emptyApi(env: Settings = {}): () => OwnApi {
  return own(() => emptyData(env));
}

function own(prepare: () => Promise<ServerData>): () => OwnApi {
  let stop: (() => Promise<void>) | undefined;
  let api: OwnApi | undefined;
  beforeAll(async () => {
    const data = await prepare();
    const started = await startServer(data);
    stop = started.stop;
    api = { ...apiOf(started.server), env: data.env };
  }, 300_000);
  afterAll(async () => {
    await stop?.();
    stop = api = undefined;
  });
  return () => opened(api);
}

function opened<Api>(api: Api | undefined): Api {
  if (!api) throw new Error('The server starts before the first test');
  return api;
}
