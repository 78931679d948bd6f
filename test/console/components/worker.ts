import { test } from 'vitest';
import { spawnServer } from '../../support/server.ts';
import { servedAt, type Served } from '../client.ts';
import { demoData, type ServerData } from '../data.ts';

/** A server in its own process, because this one has the globals of a browser. It starts with the first file that needs
 *  it, and stops with the worker. */
export const inWorker = test.extend('demoServer', { scope: 'worker' }, async ({}, { onCleanup }) => {
  const { server, stop } = await start(await demoData());
  onCleanup(stop);
  return server;
});

async function start(data: ServerData): Promise<{ server: Served; stop(): Promise<void> }> {
  const { PATH = '', HOME = '' } = process.env;
  const { url, stop } = await spawnServer({ PATH, HOME, PORT: '0', ...data.env });
  return {
    server: servedAt(url, data),
    async stop() {
      await stop();
      await data.remove();
    },
  };
}
