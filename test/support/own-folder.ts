import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';

/** Links a folder of FOCUS_ROOT into the organization's own folder, which it can connect beside other organizations.
 *  @returns its `settings.path` */
export function ownFolder(focusRoot: string | null, organizationId: string, name: string): string {
  if (focusRoot === null) throw new Error('The world has no FOCUS_ROOT');
  mkdirSync(path.join(focusRoot, organizationId), { recursive: true });
  symlinkSync(path.join('..', name), path.join(focusRoot, organizationId, name));
  return `${organizationId}/${name}`;
}
