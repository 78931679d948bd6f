import { apiOf, registerOrganization, type ConsoleApi } from '../client.ts';
import { inWorker } from './worker.ts';

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

function opened(api: ConsoleApi | undefined): ConsoleApi {
  if (!api) throw new Error('The server has not started yet; use it in a test');
  return api;
}
