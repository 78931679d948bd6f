import { defineTask } from '../jobs/task.ts';
import { collectRetired, collectStrays } from './stores/collect.ts';

/** UTC hour of the full listing of the store. */
const straysHour = 4;

/** Deletes unused fact files. */
export const collectFactsTask = defineTask('collect_facts', async (deps, _input, { runAt, signal }) => {
  const retired = await collectRetired(deps, runAt, signal);
  const strays = runAt.getUTCHours() === straysHour ? await collectStrays(deps, runAt, signal) : 0;
  deps.log.info({ retired, strays }, 'Unused fact files were deleted');
});
