import { test } from 'vitest';
import { spawnServer } from '../../support/server.ts';
import { servedAt, type Served } from '../client.ts';
import { demoData, type ServerData } from '../data.ts';

/** A server in a process of its own: this one has the globals of a browser. The first file that needs it starts it, and it
 *  ends with the worker. */
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
