import { readConfig } from '../../src/kit/config/config.ts';
import type { Deps } from '../../src/kit/deps.ts';
import { serve } from '../../src/serve.ts';
import { freePort } from '../support/free-port.ts';
import { servedAt, type Served } from './client.ts';
import type { ServerData } from './data.ts';

/** A server with its worker in this process, on a separate database. */
export interface TestServer extends Served {
  readonly deps: Deps;
  stop(): Promise<void>;
}

/** Starts a server on data that is deleted when it stops. */
export async function startServer(data: ServerData): Promise<TestServer> {
  const port = await freePort();
  const running = await serve(readConfig({ ...data.env, PORT: String(port) }));
  const stop = async () => {
    await running.stop();
    await data.remove();
  };
  return { ...servedAt(`http://localhost:${port}`, data), deps: running.deps, stop };
}
