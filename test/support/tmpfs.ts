import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

/** A small, separate disk. */
export interface Tmpfs {
  /** Changes its size. */
  resize(mib: number): void;
  /** Makes it read-only, or writable again.
   *  @returns false while files are open for writing */
  setReadOnly(isReadOnly: boolean): boolean;
  unmount(): void;
}

const mount = (...args: string[]) => spawnSync('mount', args, { stdio: 'ignore' }).status === 0;

/** Mounts a file system of this size at a folder; null where that is not allowed: it requires root. */
export function mountTmpfs(folder: string, mib: number): Tmpfs | null {
  mkdirSync(folder, { recursive: true });
  if (!mount('-t', 'tmpfs', '-o', `size=${mib}m,mode=0755`, 'tmpfs', folder)) return null;
  return {
    resize: (to) => void mount('-o', `remount,size=${to}m`, folder),
    setReadOnly: (isReadOnly) => mount('-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, folder),
    unmount: () => void spawnSync('umount', ['--lazy', folder], { stdio: 'ignore' }),
  };
}
