import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The private folder of a sync: the loading process spills and exports there, the connecting one downloads into a folder
 *  in it. */
export interface Workspace {
  readonly folder: string;
  /** What is downloaded goes here. */
  readonly downloads: string;
  /** Removes what was downloaded. */
  clear(): Promise<void>;
  remove(): Promise<void>;
}

/** Makes the folder anew: a killed sync may have left one behind. */
export async function openWorkspace(dataDir: string, accountId: string): Promise<Workspace> {
  const folder = join(dataDir, 'jobs', accountId);
  const downloads = join(folder, 'downloads');
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  const clear = async () => {
    await rm(downloads, { recursive: true, force: true });
    await mkdir(downloads, { recursive: true, mode: 0o700 });
  };
  await remove();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await clear();
  return { folder, downloads, clear, remove };
}
