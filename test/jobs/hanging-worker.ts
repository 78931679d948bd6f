// A process whose worker begins a job and never ends it, on the database given in argv[2].
import { startWorker } from '../../src/jobs/worker.ts';
import { connect, inSession } from '../../src/kit/database/open.ts';
import { openLog } from '../../src/kit/log.ts';
import { aTask, aWorld } from './world.ts';

const database = await connect(inSession(JSON.parse(process.argv[2] ?? '')), openLog('silent'));
const task = aTask(async () => {
  console.log('began');
  await new Promise(() => {});
});
await startWorker(await aWorld(database), [task]);
