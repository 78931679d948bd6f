// A process that uses the embedded database under argv[2] until SIGTERM.
import { startEmbedded } from '../../../src/kit/database/embedded/start.ts';
import { openLog } from '../../../src/kit/log.ts';

const embedded = await startEmbedded({
  dataDir: process.argv[2] ?? '',
  log: openLog('silent'),
  settings: { shared_buffers: '32MB' },
});
process.once('SIGTERM', () => void embedded.leave());
console.log('up');
