import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

// Clients that misuse connections, in their own process, so that they do not slow down the measuring one:
// node crowd-process.ts URL SLOW IDLE FLOODS
const [url = '', slow = '0', idle = '0', floods = '0'] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const counts = { lostConnections: 0 };
/** Number of attempts to sign in by the status of the answer, or the error. */
const logins: Record<string, number> = {};

/** A connection; it is opened again if the server closes it. */
function connect(talk: (socket: net.Socket) => void): void {
  const socket = net.connect(Number(port), hostname, () => talk(socket));
  socket.on('error', () => {});
  socket.once('close', () => {
    counts.lostConnections += 1;
    setTimeout(() => connect(talk), 1_000);
  });
}

/** Sends a header or body slowly, one byte at a time. */
function dawdle(socket: net.Socket, isBody: boolean): void {
  socket.write(
    isBody
      ? 'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{'
      : 'GET /api/v1/org HTTP/1.1\r\nHost: x\r\nX-Slow: ',
  );
  const timer = setInterval(() => socket.write('x'), 500);
  socket.once('close', () => clearInterval(timer));
}

async function flood(): Promise<never> {
  const body = JSON.stringify({ email: 'plum@example.com', password: 'wrong password' });
  for (;;) {
    const headers = { 'content-type': 'application/json' };
    const end = await fetch(`${url}/api/v1/auth/login`, { method: 'POST', headers, body }).then(
      async (answer) => `${answer.status}${(await answer.text()).slice(0, 0)}`,
      (error: unknown) => (error instanceof Error ? String(error.cause ?? error) : ''),
    );
    logins[end] = (logins[end] ?? 0) + 1;
    await sleep(10);
  }
}

for (let count = 0; count < Number(slow); count++) connect((socket) => dawdle(socket, count % 2 === 0));
// In steps, since a backlog of connections is limited.
for (let count = 0; count < Number(idle); count++) {
  connect(() => {});
  if (count % 100 === 99) await sleep(20);
}
for (let count = 0; count < Number(floods); count++) void flood();
process.on('message', () => process.send?.({ ...counts, logins }));
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
