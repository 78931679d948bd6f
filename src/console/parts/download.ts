import { getFile } from '../api/rest.ts';
import { accessToken, isStale, refresh } from '../api/session.ts';

/** Saves a file of the REST API: the token goes in a header, so a plain link will not do.
 *  @param path below `/api/v1`
 *  @throws {Refusal} what the API said */
export async function download(path: string, name: string, accept?: string): Promise<void> {
  if (isStale()) await refresh();
  const file = await getFile(path, accessToken() ?? '', accept);
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the file only after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
