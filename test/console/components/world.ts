import { apiOf, type ConsoleApi } from '../client.ts';
import { inWorker } from './worker.ts';

/** The demo's organization on the server that all files of a worker share, as in `../world.ts`. */
export function demoApi(): () => ConsoleApi {
  let api: ConsoleApi | undefined;
  inWorker.beforeAll(({ demoServer }) => {
    api = apiOf(demoServer);
  }, 300_000);
  return () => opened(api);
}

function opened(api: ConsoleApi | undefined): ConsoleApi {
  if (!api) throw new Error('The server starts before the first test');
  return api;
}
