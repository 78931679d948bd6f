import { startSmtpServer } from '../support/smtp-server.ts';

// A mail server in its own process, so that it can be frozen and killed. Sends the recipients of each mail to its parent.
const [port = '0'] = process.argv.slice(2);
const server = await startSmtpServer(({ to }) => process.send?.({ to }), { port: Number(port) });
process.on('disconnect', () => process.exit(0));
process.send?.({ port: server.port });
