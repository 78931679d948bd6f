import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What becomes of a connection to the mail server. `mid-message`: it breaks before the message's last dot arrives.
 *  `before-reply`: the server takes the message, but we never hear of it. `hang`: nothing moves. */
export type Mishap = 'mid-message' | 'before-reply' | 'hang';

const endOfMessage = '\r\n.\r\n';

/** A way to a mail server on which one connection after another has its mishap; the later ones have none. */
export async function aMailProxy(port: number, ...mishaps: Mishap[]): Promise<number> {
  const open = new Set<net.Socket>();
  const proxy = net.createServer((client) => {
    const server = net.connect(port, '127.0.0.1');
    for (const socket of [client, server]) {
      open.add(socket);
      socket.on('error', () => {}).on('close', () => open.delete(socket));
    }
    carry(client, server, mishaps.shift());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    await new Promise<void>((resolve) => proxy.close(() => resolve()));
  });
  return (proxy.address() as AddressInfo).port;
}

function carry(client: net.Socket, server: net.Socket, mishap: Mishap | undefined): void {
  if (mishap === 'hang') return;
  let isTaken = false;
  client.on('data', (chunk: Buffer) => {
    const isLast = chunk.includes(endOfMessage);
    if (mishap === 'mid-message' && isLast) {
      client.destroy();
      server.destroy();
      return;
    }
    isTaken ||= isLast;
    server.write(chunk);
  });
  server.on('data', (chunk: Buffer) => {
    if (mishap === 'before-reply' && isTaken) {
      client.destroy();
      server.end();
      return;
    }
    client.write(chunk);
  });
  client.on('end', () => server.end());
  server.on('end', () => client.end());
}
