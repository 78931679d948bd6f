import { defineTask } from '../jobs/task.ts';
import { collectRetired, collectStrays } from './collect.ts';

/** The UTC hour in which the whole store is listed. */
const straysHour = 4;

/** Deletes fact files that are no longer used. */
export const collectFactsTask = defineTask('collect_facts', async (deps, _input, { runAt, signal }) => {
  const retired = await collectRetired(deps, runAt, signal);
  const strays = runAt.getUTCHours() === straysHour ? await collectStrays(deps, runAt, signal) : 0;
  deps.log.info({ retired, strays }, 'Unused fact files were deleted');
});
