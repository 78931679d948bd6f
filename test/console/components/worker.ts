import { test } from 'vitest';
import { spawnServer } from '../../support/server.ts';
import { servedAt, type Served } from '../client.ts';
import { demoData, emptyData, type ServerData } from '../data.ts';

/** Servers in their own processes, because this one has the globals of a browser. Each starts with the first file that needs
 *  it, and stops with the worker. */
export const inWorker = test
  .extend('demoServer', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const { server, stop } = await startServer(await demoData());
    onCleanup(stop);
    return server;
  })
  .extend('emptyServer', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const { server, stop } = await startServer(await emptyData());
    onCleanup(stop);
    return server;
  });

/** Starts a server on data that is deleted when it stops. */
async function startServer(data: ServerData): Promise<{ server: Served; stop(): Promise<void> }> {
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
