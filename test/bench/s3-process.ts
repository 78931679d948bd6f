import { subscribe } from 'node:diagnostics_channel';
import { startFauxqs } from 'fauxqs';

// S3 in its own process with objects on disk, so that its cost is not attributed to the server.
const [folder = ''] = process.argv.slice(2);
let calls = 0;
subscribe('http.server.request.start', () => calls++);
const server = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false, s3StorageDir: folder });
server.createBucket('bills');
let cpuBefore = process.cpuUsage();
process.on('message', () => {
  const { user, system } = process.cpuUsage(cpuBefore);
  process.send?.({ calls, cpuSeconds: (user + system) / 1e6 });
  calls = 0;
  cpuBefore = process.cpuUsage();
});
process.on('disconnect', () => process.exit(0));
process.send?.({ url: `http://127.0.0.1:${server.port}` });
