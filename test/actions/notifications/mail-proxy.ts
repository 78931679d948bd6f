import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Fault of a connection. `mid-message`: it breaks before the final dot of the message arrives. `before-reply`: the
 *  server accepts the message, but its reply is lost. `hang`: no data is forwarded. */
export type Mishap = 'mid-message' | 'before-reply' | 'hang';

const endOfMessage = '\r\n.\r\n';

/** A proxy to a mail server that injects one fault per connection, in order; later connections work. */
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
